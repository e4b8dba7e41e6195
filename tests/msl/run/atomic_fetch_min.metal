// section: 6.15 Atomic Functions
// construct: atomic_fetch_min_explicit of int
// grid: 64
// in: c int 50
// out: c int -30
#include <metal_stdlib>
using namespace metal;

kernel void test(device atomic_int *c [[buffer(0)]],
                 uint i [[thread_position_in_grid]]) {
  atomic_fetch_min_explicit(c, int(i * 7 % 61) - 30, memory_order_relaxed);
}
