#include <metal_stdlib>
using namespace metal;

kernel void rating(device const float *x [[buffer(0)]],
                   device float       *y [[buffer(1)]],
                   constant float4    &w [[buffer(2)]],
                   uint i [[thread_position_in_grid]]) {
  y[i] = dot(w, ((device const float4 *)x)[i]);
  float d = i % 2 == 0 ? 0.1f : 0.2f;
  for (int k = 0; k < 16; k++) {
    y[i] = y[i] - d * y[i] * y[i];
    threadgroup_barrier(mem_flags::mem_device); // and it must really be written
  }
}
