// section: 6.15 Atomic Functions
// construct: atomic_fetch_add_explicit of int
// grid: 64
// in: c int 5
// out: c int 2021
#include <metal_stdlib>
using namespace metal;

kernel void test(device atomic_int *c [[buffer(0)]],
                 uint i [[thread_position_in_grid]]) {
  atomic_fetch_add_explicit(c, int(i), memory_order_relaxed);
}
