// The position in the group is taken for the position in the grid: all groups
// write the same 64 cells.
// run: --grid 256 --group 64 --arg x=float[256] --arg y=float[256]:zero
// also: coverage
#include <metal_stdlib>
using namespace metal;

kernel void square(device const float *x [[buffer(0)]],
                   device float *y [[buffer(1)]],
#ifdef FIXED
                   uint i [[thread_position_in_grid]]) {
#else
                   uint i [[thread_position_in_threadgroup]]) {
#endif
  y[i] = x[i] * x[i] + y[i]; // !race
}
