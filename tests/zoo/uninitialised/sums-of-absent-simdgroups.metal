// 32 sums are read, and the group has two SIMD-groups.
// run: --grid 64 --group 64 --arg x=float[64] --arg o=float[64]
// expect: uninitialised
#include <metal_stdlib>
using namespace metal;

kernel void k(device const float *x, device float *o, uint t [[thread_position_in_threadgroup]],
              uint lane [[thread_index_in_simdgroup]], uint sg [[simdgroup_index_in_threadgroup]]) {
  threadgroup float part[32];
  float s = simd_sum(x[t]);
  if (lane == 0) part[sg] = s;
  threadgroup_barrier(mem_flags::mem_threadgroup);
#ifdef FIXED
  float v = lane < 2 ? part[lane] : 0;
#else
  float v = part[lane]; // !uninitialised
#endif
  o[t] = simd_sum(v);
}
