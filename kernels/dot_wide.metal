#include <metal_stdlib>
using namespace metal;

// The sum of x · y in one launch, as fast as memory can be read. As with
// sum_wide a thread asks for four float4 at once, two of each; as with dot the
// groups add what they found to one place, which must be 0 before.
kernel void dot_wide(device const float  *x     [[buffer(0)]],
                     device const float  *y     [[buffer(1)]],
                     device atomic_float *total [[buffer(2)]],
                     constant uint       &n     [[buffer(3)]],
                     uint i       [[thread_position_in_grid]],
                     uint threads [[threads_per_grid]],
                     uint lane    [[thread_index_in_simdgroup]],
                     uint simd    [[simdgroup_index_in_threadgroup]],
                     uint simds   [[simdgroups_per_threadgroup]]) {
  threadgroup float part[32];
  device const float4 *x4 = (device const float4 *)x;
  device const float4 *y4 = (device const float4 *)y;
  float4 a = 0, b = 0;
  uint j = i, quads = n / 4;
  for (; j + threads < quads; j += 2 * threads) {
    a += x4[j] * y4[j];
    b += x4[j + threads] * y4[j + threads];
  }
  if (j < quads) a += x4[j] * y4[j];
  a += b;
  float sum = (a.x + a.y) + (a.z + a.w);
  // one to three numbers may be left after the last float4
  uint rest = 4 * quads + i;
  if (rest < n) sum += x[rest] * y[rest];

  sum = simd_sum(sum);
  if (lane == 0) part[simd] = sum;
  threadgroup_barrier(mem_flags::mem_threadgroup);

  if (simd == 0) {
    sum = simd_sum(lane < simds ? part[lane] : 0.0f);
    if (lane == 0) atomic_fetch_add_explicit(total, sum, memory_order_relaxed);
  }
}
