// section: 6.15 Atomic Functions
// construct: atomic_fetch_add_explicit of uint, several counters
// grid: 64
// in: c uint 0 0 0 0
// out: c uint 16 16 16 16
#include <metal_stdlib>
using namespace metal;

kernel void test(device atomic_uint *c [[buffer(0)]],
                 uint i [[thread_position_in_grid]]) {
  atomic_fetch_add_explicit(&c[i % 4], 1, memory_order_relaxed);
}
