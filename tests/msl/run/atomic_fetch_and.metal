// section: 6.15 Atomic Functions
// construct: atomic_fetch_and_explicit
// grid: 64
// in: c uint 4294967295
// out: c uint 0
#include <metal_stdlib>
using namespace metal;

kernel void test(device atomic_uint *c [[buffer(0)]],
                 uint i [[thread_position_in_grid]]) {
  atomic_fetch_and_explicit(c, ~(1u << (i % 32)), memory_order_relaxed);
}
