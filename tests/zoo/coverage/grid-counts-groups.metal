// The number of threadgroups was given where threads were meant.
// run: --grid 8 --group 8 --arg x=float[512] --arg y=float[512]
// fixed: --grid 512 --group 64 --arg x=float[512] --arg y=float[512]
// expect: coverage
#include <metal_stdlib>
using namespace metal;

kernel void sigmoid(device const float *x [[buffer(0)]],
                    device float *y [[buffer(1)]],
                    uint i [[thread_position_in_grid]]) {
  y[i] = 1 / (1 + exp(-x[i]));
}
