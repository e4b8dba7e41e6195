// section: 6.15 Atomic Functions
// construct: volatile atomics
// grid: 32
// in: c int 0
// out: c int 32
#include <metal_stdlib>
using namespace metal;

kernel void test(volatile device atomic_int *c [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  atomic_fetch_add_explicit(c, 1, memory_order_relaxed);
}
