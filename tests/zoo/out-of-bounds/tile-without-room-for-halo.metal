// 16 results of a 3-point stencil need 18 inputs in the tile.
// run: --grid 64 --group 16 --arg in=float[66] --arg out=float[64]
#include <metal_stdlib>
using namespace metal;

kernel void blur(device const float *in [[buffer(0)]], // in[i + 1] is the middle
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]],
                 uint t [[thread_position_in_threadgroup]]) {
#ifdef FIXED
  threadgroup float tile[18];
#else
  threadgroup float tile[16];
#endif
  tile[t] = in[i];
  if (t < 2) tile[t + 16] = in[i + 16]; // !out-of-bounds
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[i] = (tile[t] + tile[t + 1] + tile[t + 2]) / 3.0f; // !out-of-bounds
}
