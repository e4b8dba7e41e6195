#include <metal_stdlib>
using namespace metal;

kernel void segmented_scan(device const float *x     [[buffer(0)]],
                           device const uint  *start [[buffer(1)]],
                           device float       *y     [[buffer(2)]],
                           constant uint      &n     [[buffer(3)]],
                           uint t [[thread_position_in_threadgroup]]) {
  if (t > 0) return;
  float sum = 0;
  for (uint i = 0; i < n; i++) y[i] = sum = (start[i] ? 0 : sum) + x[i];
}
