#include <metal_stdlib>
using namespace metal;

// y[i] = the sum of w[j + 4] * x[i + j] for j from -4 to 4, with 0 beyond the
// ends of x. Right, but every element of x is read nine times.
kernel void convolve(device const float *x [[buffer(0)]],
                     device float       *y [[buffer(1)]],
                     constant float     *w [[buffer(2)]],  // 9 weights
                     constant uint      &n [[buffer(3)]],
                     uint i     [[thread_position_in_grid]],
                     uint t     [[thread_position_in_threadgroup]],
                     uint group [[threadgroup_position_in_grid]]) {
  if (i >= n) return;
  float sum = 0;
  for (int j = -4; j <= 4; j++) {
    int at = int(i) + j;
    if (at >= 0 && at < int(n)) sum += w[j + 4] * x[at];
  }
  y[i] = sum;
}
