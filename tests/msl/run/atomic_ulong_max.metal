// section: 6.15 Atomic Functions
// construct: atomic_ulong: atomic_max_explicit
// grid: 64
// in: c ulong 7
// out: c ulong 69269232549888
#include <metal_stdlib>
using namespace metal;

kernel void test(device atomic_ulong *c [[buffer(0)]],
                 uint i [[thread_position_in_grid]]) {
  atomic_max_explicit(c, ulong(i) << 40, memory_order_relaxed);
}
