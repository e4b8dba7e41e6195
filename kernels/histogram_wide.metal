#include <metal_stdlib>
using namespace metal;

// How often each of the 256 values of a byte occurs. As in histogram each
// threadgroup counts in threadgroup memory first; here with a row of bins for
// each of its SIMD-groups, so that fewer threads add to the same one at the
// same time, and with sixteen bytes for each load.
#define BINS 256
#define COPIES 8  // rows of bins

kernel void histogram_wide(device const uchar *x    [[buffer(0)]],
                           device atomic_uint *bins [[buffer(1)]],
                           constant uint      &n    [[buffer(2)]],
                           uint i       [[thread_position_in_grid]],
                           uint threads [[threads_per_grid]],
                           uint t       [[thread_position_in_threadgroup]],
                           uint size    [[threads_per_threadgroup]],
                           uint simd    [[simdgroup_index_in_threadgroup]]) {
  threadgroup atomic_uint part[COPIES][BINS];
  for (uint b = t; b < COPIES * BINS; b += size)
    atomic_store_explicit(&part[b / BINS][b % BINS], 0, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);

  threadgroup atomic_uint *own = part[simd % COPIES];
  device const uint4 *x16 = (device const uint4 *)x;
  uint sixteens = n / 16;
  for (uint j = i; j < sixteens; j += threads) {
    uint4 v = x16[j];
#pragma unroll
    for (uint s = 0; s < 16; s++)
      atomic_fetch_add_explicit(&own[v[s / 4] >> s % 4 * 8 & 255], 1,
                                memory_order_relaxed);
  }
  uint rest = 16 * sixteens + i;  // up to fifteen bytes are left
  if (rest < n)
    atomic_fetch_add_explicit(&own[x[rest]], 1, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);

  for (uint b = t; b < BINS; b += size) {
    uint sum = 0;
    for (uint c = 0; c < COPIES; c++)
      sum += atomic_load_explicit(&part[c][b], memory_order_relaxed);
    if (sum > 0) atomic_fetch_add_explicit(&bins[b], sum, memory_order_relaxed);
  }
}
