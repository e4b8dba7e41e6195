// Thread 0 of the first group sets it, and every group has its own.
// run: --grid 96 --group 32 --arg x=float[96] --arg scale=4 --arg y=float[96]
#include <metal_stdlib>
using namespace metal;

kernel void scaled(device const float *x [[buffer(0)]],
                   constant float &scale [[buffer(1)]],
                   device float *y [[buffer(2)]],
                   uint i [[thread_position_in_grid]],
                   uint t [[thread_position_in_threadgroup]]) {
  threadgroup float inverse;
#ifdef FIXED
  if (t == 0) inverse = 1 / scale;
#else
  if (i == 0) inverse = 1 / scale;
#endif
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y[i] = x[i] * inverse; // !uninitialised
}
