// The grid was left at the size of an earlier test.
// run: --grid 512 --group 256 --arg x=float[1000] --arg y=float[1000]
// fixed: --grid 1000 --group 256 --arg x=float[1000] --arg y=float[1000]
// expect: coverage
#include <metal_stdlib>
using namespace metal;

kernel void relu(device const float *x [[buffer(0)]],
                 device float *y [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  y[i] = max(x[i], 0.0f);
}
