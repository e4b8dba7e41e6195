#include <metal_stdlib>
using namespace metal;

// Memory as fast as it goes (bench/on_cuda.lua): every thread has several loads
// of 16 bytes under way before it uses the first. Lengths are multiples of
// 4 · EACH · the threads of a group.
#define EACH 4
#define UNROLL _Pragma("unroll")

kernel void saxpy_wide(device const float4 *x [[buffer(0)]],
                       device const float4 *y [[buffer(1)]],
                       device float4 *z [[buffer(2)]],
                       constant float &k [[buffer(3)]],
                       uint i [[thread_position_in_threadgroup]],
                       uint size [[threads_per_threadgroup]],
                       uint group [[threadgroup_position_in_grid]]) {
  float4 some[EACH], others[EACH];
  uint first = group * size * EACH + i;
  UNROLL for (uint j = 0; j < EACH; j++) some[j] = x[first + j * size];
  UNROLL for (uint j = 0; j < EACH; j++) others[j] = y[first + j * size];
  UNROLL for (uint j = 0; j < EACH; j++)
    z[first + j * size] = k * some[j] + others[j];
}

// Each group leaves the sum of its part.
kernel void sum_wide(device const float4 *x [[buffer(0)]],
                     device float *sums [[buffer(1)]],
                     constant uint &rounds [[buffer(2)]],
                     uint i [[thread_position_in_threadgroup]],
                     uint size [[threads_per_threadgroup]],
                     uint lane [[thread_index_in_simdgroup]],
                     uint simd [[simdgroup_index_in_threadgroup]],
                     uint group [[threadgroup_position_in_grid]]) {
  threadgroup float part[32];
  float4 sum = 0;
  device const float4 *from = x + group * rounds * EACH * size + i;
  for (uint round = 0; round < rounds; round++) {
    float4 some[EACH];
    UNROLL for (uint j = 0; j < EACH; j++) some[j] = from[j * size];
    UNROLL for (uint j = 0; j < EACH; j++) sum += some[j];
    from += EACH * size;
  }
  float all = simd_sum(sum.x + sum.y + sum.z + sum.w);
  if (lane == 0) part[simd] = all;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (simd > 0) return;
  all = simd_sum(lane < size / 32 ? part[lane] : 0.0f);
  if (lane == 0) sums[group] = all;
}
