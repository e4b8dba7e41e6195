// wrong: the difference the other way round
#include <metal_stdlib>
using namespace metal;

kernel void both(device const float *a          [[buffer(0)]],
                 device const float *b          [[buffer(1)]],
                 device float       *sum        [[buffer(2)]],
                 device float       *difference [[buffer(3)]],
                 uint i [[thread_position_in_grid]]) {
  float left = a[i], right = b[i];
  sum[i] = left + right;
  difference[i] = right - left;
}
