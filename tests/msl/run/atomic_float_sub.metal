// section: 6.15 Atomic Functions
// construct: atomic_float: fetch_sub
// grid: 64
// in: c float 16
// out: c float 0
#include <metal_stdlib>
using namespace metal;

kernel void test(device atomic_float *c [[buffer(0)]],
                 uint i [[thread_position_in_grid]]) {
  atomic_fetch_sub_explicit(c, 0.25f, memory_order_relaxed);
}
