// section: 6.15 Atomic Functions
// construct: 64-bit atomic minimum and maximum
// grid: 50
// repeats: no
// in: a ulong 5000000000
// in: b ulong 5000000000
// out: a ulong 5000000049
// out: b ulong 100
#include <metal_stdlib>
using namespace metal;
kernel void k(device atomic_ulong *a [[buffer(0)]], device atomic_ulong *b [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  atomic_max_explicit(a, 5000000000ul + i, memory_order_relaxed);
  atomic_min_explicit(b, 100ul + i, memory_order_relaxed);
}
