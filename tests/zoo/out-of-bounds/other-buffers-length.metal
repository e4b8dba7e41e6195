// The bias has one value a column, but is read by the index of the matrix.
// run: --grid 32,20 --group 8,8 --arg x=float[640] --arg bias=float[32] --arg columns=32
#include <metal_stdlib>
using namespace metal;

kernel void add_bias(device float *x [[buffer(0)]],
                     device const float *bias [[buffer(1)]],
                     constant uint &columns [[buffer(2)]],
                     uint2 p [[thread_position_in_grid]]) {
  uint at = p.y * columns + p.x;
#ifdef FIXED
  x[at] += bias[p.x];
#else
  x[at] += bias[at]; // !out-of-bounds
#endif
}
