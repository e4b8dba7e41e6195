// section: 6.15 Atomic Functions
// construct: atomic_ulong: atomic_min_explicit
// grid: 64
// in: c ulong 1152921504606846976
// out: c ulong 3298534883328
#include <metal_stdlib>
using namespace metal;

kernel void test(device atomic_ulong *c [[buffer(0)]],
                 uint i [[thread_position_in_grid]]) {
  atomic_min_explicit(c, (ulong(i) + 3) << 40, memory_order_relaxed);
}
