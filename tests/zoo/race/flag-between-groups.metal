// The last group is told by a plain flag that the others are done.
// run: --grid 96 --group 32 --arg x=float[96] --arg done=uint[1]:zero --arg out=float[96]
#include <metal_stdlib>
using namespace metal;

kernel void stages(device const float *x [[buffer(0)]],
                   device uint *done [[buffer(1)]],
                   device float *out [[buffer(2)]],
                   uint i [[thread_position_in_grid]],
                   uint t [[thread_index_in_threadgroup]],
                   uint g [[threadgroup_position_in_grid]]) {
  float v = x[i] * 2;
#ifndef FIXED
  if (g == 0 && t == 0) *done = 1; // !race
  if (g == 2 && *done == 1) v += 1; // !race
#else
  if (g == 2) v += 1;
  if (g == 0 && t == 0) *done = 1;
#endif
  out[i] = v;
}
