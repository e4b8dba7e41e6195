// Four of five elements are set.
// run: --grid 32 --group 32 --arg x=float[128] --arg o=float[32]
#include <metal_stdlib>
using namespace metal;

kernel void k(device const float *x, device float *o, uint i [[thread_position_in_grid]]) {
  float v[5];
  for (int j = 0; j < 4; j++) v[j] = x[4 * i + j];
#ifdef FIXED
  v[4] = 0;
#endif
  float m = v[0];
  for (int j = 1; j < 5; j++) m = max(m, v[j]); // !uninitialised
  o[i] = m; // !uninitialised
}
