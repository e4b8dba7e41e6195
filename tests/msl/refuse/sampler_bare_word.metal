#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  constexpr sampler s(linear); x[i] = 0;
}
// expect: 4: filter::linear
