#include <metal_stdlib>
using namespace metal;
[numthreads(8,8,1)] void k(uint3 id [[thread_position_in_grid]]) { }
// expect: 3: at the launch
