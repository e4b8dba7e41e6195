// section: 6.15 Atomic Functions
// construct: atomic_fetch_sub_explicit
// grid: 64
// in: c int 100
// out: c int -28
#include <metal_stdlib>
using namespace metal;

kernel void test(device atomic_int *c [[buffer(0)]],
                 uint i [[thread_position_in_grid]]) {
  atomic_fetch_sub_explicit(c, 2, memory_order_relaxed);
}
