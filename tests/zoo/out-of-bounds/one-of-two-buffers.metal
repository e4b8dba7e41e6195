// The shorter of two buffers is taken for the long range.
// run: --grid 30 --group 32 --arg a=float[30] --arg b=float[20] --arg o=float[30]
#include <metal_stdlib>
using namespace metal;

kernel void k(device const float *a, device const float *b, device float *o, uint i [[thread_position_in_grid]]) {
#ifdef FIXED
  device const float *p = i < 10 ? b : a;
#else
  device const float *p = i < 10 ? a : b;
#endif
  o[i] = p[i]; // !out-of-bounds
}
