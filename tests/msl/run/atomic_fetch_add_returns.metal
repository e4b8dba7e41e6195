// section: 6.15 Atomic Functions
// construct: atomic_fetch_add returns each value once
// grid: 64
// in: c uint 0
// out: seen uint 64*1
// out: c uint 64
#include <metal_stdlib>
using namespace metal;

kernel void test(device atomic_uint *c [[buffer(0)]], device uint *seen [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  uint mine = atomic_fetch_add_explicit(c, 1, memory_order_relaxed);
  seen[mine] = 1;
}
