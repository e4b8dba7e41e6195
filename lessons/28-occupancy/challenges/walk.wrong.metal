// wrong: the first element is left out
#include <metal_stdlib>
using namespace metal;

kernel void contrast(device const float *x [[buffer(0)]],
                     device float       *y [[buffer(1)]],
                     uint i [[thread_position_in_grid]],
                     uint t [[thread_position_in_threadgroup]],
                     uint n [[threads_per_grid]]) {
  device const float *p = x + i + 31 * n;
  float2 range = float2(*p, -*p);
  for (uint left = 30; left > 0; left--) {
    p -= n;
    range = min(range, float2(*p, -*p));
  }
  y[i] = (-range.y - range.x) / (range.x - range.y);
}
