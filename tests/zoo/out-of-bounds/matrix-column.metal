// A float4x4 has four columns, and the index goes to seven.
// run: --grid 32 --group 32 --arg m=float4x4[4] --arg o=float[32]
#include <metal_stdlib>
using namespace metal;

kernel void k(device const float4x4 *m, device float *o, uint i [[thread_position_in_grid]]) {
#ifdef FIXED
  o[i] = m[i / 8][i % 4][i % 4];
#else
  o[i] = m[i / 8][i % 8][0]; // !out-of-bounds
#endif
}
