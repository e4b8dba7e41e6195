// section: 6.15 Atomic Functions
// construct: atomic_fetch_max_explicit of uint is unsigned
// grid: 64
// in: c uint 5
// out: c uint 2147483711
#include <metal_stdlib>
using namespace metal;

kernel void test(device atomic_uint *c [[buffer(0)]],
                 uint i [[thread_position_in_grid]]) {
  atomic_fetch_max_explicit(c, 0x80000000u + i, memory_order_relaxed);
}
