// Quad operations where the last quad has one thread.
// run: --grid 33 --group 33 --arg x=float[33] --arg y=float[33]
#include <metal_stdlib>
using namespace metal;

kernel void gradients(device const float *x [[buffer(0)]],
                      device float *y [[buffer(1)]],
                      uint i [[thread_position_in_grid]],
                      uint n [[threads_per_grid]]) {
#ifdef FIXED
  uint other = i ^ 1;
  y[i] = other < n ? x[other] - x[i] : 0;
#else
  y[i] = quad_shuffle_xor(x[i], 1) - x[i]; // !inactive-lane
#endif
}
