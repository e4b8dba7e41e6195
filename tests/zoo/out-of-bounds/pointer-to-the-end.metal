// A pointer that goes up to the end, and once more.
// run: --grid 10 --group 10 --arg x=float[100] --arg o=float[10]
#include <metal_stdlib>
using namespace metal;

kernel void k(device const float *x, device float *o, uint i [[thread_position_in_grid]]) {
  device const float *p = x + i * 10, *end = p + 10;
  float s = 0;
#ifdef FIXED
  while (p < end) s += *p++;
#else
  while (p <= end) s += *p++; // !out-of-bounds
#endif
  o[i] = s;
}
