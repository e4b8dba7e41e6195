// wrong: twelve times
#include <metal_stdlib>
using namespace metal;

static float damp(float v, float d) { return v - d * v * v; }
static float damp4(float v, float d) {
  return damp(damp(damp(damp(v, d), d), d), d);
}

kernel void rating(device const float *x [[buffer(0)]],
                   device float       *y [[buffer(1)]],
                   constant float4    &w [[buffer(2)]],
                   uint i [[thread_position_in_grid]]) {
  float v = dot(w, ((device const float4 *)x)[i]);
  float d = i % 2 == 0 ? 0.1f : 0.2f;
  y[i] = damp4(damp4(damp4(v, d), d), d);
}
