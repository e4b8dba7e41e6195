#include <metal_stdlib>
using namespace metal;

kernel void squares(device const float *x [[buffer(0)]],
                    device float       *y [[buffer(1)]],
                    constant uint      &n [[buffer(2)]],
                    uint i       [[thread_position_in_grid]],
                    uint threads [[threads_per_grid]]) {
  for (int k = 7; k >= 0; k--) {
    uint j = uint(k) * threads + i;
    if (j >= n) continue;
    float v = x[j];
    y[j] = v * v;
  }
}
