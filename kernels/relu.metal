#include <metal_stdlib>
using namespace metal;

// y = x where x is positive, else 0. max, not an if: no thread goes another way
// than its neighbours.
kernel void relu(device const float *x [[buffer(0)]],
                 device float       *y [[buffer(1)]],
                 constant uint      &n [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  if (i >= n) return;
  y[i] = max(x[i], 0.0f);
}
