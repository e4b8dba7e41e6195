// The first lane leaves a value for the others, who do not wait for it.
// run: --grid 64 --group 32 --arg rows=float[64] --arg out=float[64]
#include <metal_stdlib>
using namespace metal;

kernel void relative_to_first(device const float *rows [[buffer(0)]],
                              device float *out [[buffer(1)]],
                              uint i [[thread_position_in_grid]],
                              uint lane [[thread_index_in_simdgroup]]) {
  threadgroup float first;
  if (lane == 0) first = rows[i]; // !race
#ifdef FIXED
  simdgroup_barrier(mem_flags::mem_threadgroup);
#endif
  out[i] = rows[i] - first; // !race
}
