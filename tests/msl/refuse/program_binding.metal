#include <metal_stdlib>
using namespace metal;
device float *constant buf [[buffer(0)]];
constant texture2d<float> tex [[texture(0)]];
sampler constant s [[sampler(0)]];
kernel void k(uint i [[thread_position_in_grid]]) { buf[i] = tex.read(uint2(i, 0)).x; }
// expect: 4: of the whole program
