// section: 6.15 Atomic Functions
// construct: atomic_float: fetch_add
// grid: 64
// in: c float 0.5
// out: c float 16.5
#include <metal_stdlib>
using namespace metal;

kernel void test(device atomic_float *c [[buffer(0)]],
                 uint i [[thread_position_in_grid]]) {
  atomic_fetch_add_explicit(c, 0.25f, memory_order_relaxed);
}
