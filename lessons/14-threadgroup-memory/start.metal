#include <metal_stdlib>
using namespace metal;

// From each element subtract the mean of its team's (up to) 64 elements. Right,
// but every thread fetches all of them from device memory.
kernel void centre(device const float *x [[buffer(0)]],
                   device float       *y [[buffer(1)]],
                   constant uint      &n [[buffer(2)]],
                   uint i [[thread_position_in_grid]],
                   uint t [[thread_position_in_threadgroup]],
                   uint g [[threadgroup_position_in_grid]]) {
  uint count = min(64u, n - g * 64);  // elements of this team
  if (i >= n) return;
  float sum = 0;
  for (uint k = 0; k < count; k++) sum += x[g * 64 + k];
  y[i] = x[i] - sum / count;
}
