#include <metal_stdlib>
using namespace metal;

kernel void scan(device const float *x [[buffer(0)]],
                 device float       *y [[buffer(1)]],
                 constant uint      &n [[buffer(2)]],
                 uint t    [[thread_position_in_threadgroup]],
                 uint lane [[thread_index_in_simdgroup]],
                 uint simd [[simdgroup_index_in_threadgroup]]) {
  threadgroup float totals[8];
  float4 v = 0;
  for (uint k = 0; k < 4; k++) v[k] = t * 4 + k < n ? x[t * 4 + k] : 0;
  v.y += v.x;
  v.z += v.y;
  v.w += v.z;
  float upto = simd_prefix_inclusive_sum(v.w);
  if (lane == 31) totals[simd] = upto;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float others = simd_prefix_exclusive_sum(lane < 8 ? totals[lane] : 0);
  float before = simd_shuffle(others, ushort(simd)) + upto - v.w;
  for (uint k = 0; k < 4; k++) if (t * 4 + k < n) y[t * 4 + k] = before + v[k];
}
