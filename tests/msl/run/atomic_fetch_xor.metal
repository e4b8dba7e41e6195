// section: 6.15 Atomic Functions
// construct: atomic_fetch_xor_explicit
// grid: 64
// in: c uint 0
// out: c uint 0
#include <metal_stdlib>
using namespace metal;

kernel void test(device atomic_uint *c [[buffer(0)]],
                 uint i [[thread_position_in_grid]]) {
  atomic_fetch_xor_explicit(c, i, memory_order_relaxed);
}
