// section: 5.2 Function Arguments and Variables
// construct: thread_position_in_grid as uint2, threads_per_grid
// grid: 5 3
// out: out uint 0..14
#include <metal_stdlib>
using namespace metal;

kernel void test(device uint *out [[buffer(0)]], uint2 p [[thread_position_in_grid]],
                 uint2 n [[threads_per_grid]]) {
  out[p.y * n.x + p.x] = p.y * 5 + p.x;
}
