// section: 5.2 Function Arguments and Variables
// construct: thread_position_in_grid as uint3
// grid: 3 2 2
// out: out uint 0..11
#include <metal_stdlib>
using namespace metal;

kernel void test(device uint *out [[buffer(0)]], uint3 p [[thread_position_in_grid]]) {
  uint i = (p.z * 2 + p.y) * 3 + p.x;
  out[i] = i;
}
