#include <metal_stdlib>
using namespace metal;

kernel void lengths(device const float *points [[buffer(0)]],
                    device half *out                   [[buffer(1)]],
                    uint i [[thread_position_in_grid]]) {
  device const float *p = points + 3 * i;
  out[i] = half(sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]));
}
