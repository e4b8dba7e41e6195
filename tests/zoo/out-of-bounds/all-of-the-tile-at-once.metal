// The last row of a tile is filled beyond its end; all of a tile may be gone
// through by one index, from its first element on.
// run: --grid 32 --group 32 --arg y=float[64]
#include <metal_stdlib>
using namespace metal;

kernel void fill(device float *y [[buffer(0)]],
                 uint l [[thread_index_in_threadgroup]]) {
  threadgroup float tile[8][8];
  for (uint k = l; k < 64; k += 32) tile[0][k] = 0;
  threadgroup float *all = &tile[0][0];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint k = l; k < 64; k += 32) all[k] += float(k);
  threadgroup_barrier(mem_flags::mem_threadgroup);
#ifdef FIXED
  if (l < 8) tile[6][l] = 1;
#else
  if (l < 16) tile[6][l] = 1; // !out-of-bounds
#endif
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint k = l; k < 64; k += 32) y[k] = all[k];
}
