#include <metal_stdlib>
using namespace metal;

// The sum of all elements, as fast as memory can be read. A thread of sum_simd
// asks for one number, and waits for it before it asks for the next. Here it
// asks for sixteen at once: a float4 is one access of 16 bytes, and four of
// them, each with a sum of its own, do not wait for each other. As with
// sum_simd, a second launch with a single group sums what the groups leave.
kernel void sum_wide(device const float *x    [[buffer(0)]],
                     device float       *sums [[buffer(1)]],
                     constant uint      &n    [[buffer(2)]],
                     uint i       [[thread_position_in_grid]],
                     uint threads [[threads_per_grid]],
                     uint lane    [[thread_index_in_simdgroup]],
                     uint simd    [[simdgroup_index_in_threadgroup]],
                     uint simds   [[simdgroups_per_threadgroup]],
                     uint group   [[threadgroup_position_in_grid]]) {
  threadgroup float part[32];  // 1024 threads are 32 SIMD-groups at most
  device const float4 *x4 = (device const float4 *)x;
  float4 a = 0, b = 0, c = 0, d = 0;
  uint j = i, quads = n / 4;
  for (; j + 3 * threads < quads; j += 4 * threads) {
    a += x4[j];
    b += x4[j + threads];
    c += x4[j + 2 * threads];
    d += x4[j + 3 * threads];
  }
  for (; j < quads; j += threads) a += x4[j];
  a = (a + b) + (c + d);
  float sum = (a.x + a.y) + (a.z + a.w);
  // one to three numbers may be left after the last float4
  uint rest = 4 * quads + i;
  if (rest < n) sum += x[rest];

  sum = simd_sum(sum);
  if (lane == 0) part[simd] = sum;
  threadgroup_barrier(mem_flags::mem_threadgroup);

  if (simd == 0) {
    sum = simd_sum(lane < simds ? part[lane] : 0.0f);
    if (lane == 0) sums[group] = sum;
  }
}
