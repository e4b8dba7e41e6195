#include <metal_stdlib>
using namespace metal;

// Running sums: y[i] = x[0] + … + x[i]. Each sum needs all before it, and yet
// it can be done in parallel: scan_blocks makes the running sums within blocks
// of 1024 elements, and leaves each block's total in 'totals'. The totals are
// scanned in turn (by scan_blocks again), and scan_add then adds to each block
// what came before it.
#define THREADS 256
#define EACH 4

kernel void scan_blocks(device const float *x      [[buffer(0)]],
                        device float       *y      [[buffer(1)]],
                        device float       *totals [[buffer(2)]],
                        constant uint      &n      [[buffer(3)]],
                        uint t     [[thread_position_in_threadgroup]],
                        uint lane  [[thread_index_in_simdgroup]],
                        uint simd  [[simdgroup_index_in_threadgroup]],
                        uint width [[threads_per_simdgroup]],
                        uint group [[threadgroup_position_in_grid]]) {
  threadgroup float part[THREADS];  // the total of each SIMD-group
  uint first = (group * THREADS + t) * EACH;
  float v[EACH];
  for (uint j = 0; j < EACH; j++) v[j] = first + j < n ? x[first + j] : 0;
  for (uint j = 1; j < EACH; j++) v[j] += v[j - 1];

  float mine = v[EACH - 1];
  float before = simd_prefix_exclusive_sum(mine);
  if (lane == width - 1) part[simd] = before + mine;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint s = 0; s < simd; s++) before += part[s];

  for (uint j = 0; j < EACH; j++)
    if (first + j < n) y[first + j] = before + v[j];
  if (t == THREADS - 1) totals[group] = before + mine;
}

kernel void scan_add(device float       *y      [[buffer(0)]],
                     device const float *totals [[buffer(1)]],
                     constant uint      &n      [[buffer(2)]],
                     uint i [[thread_position_in_grid]]) {
  uint block = i / (THREADS * EACH);
  if (i >= n || block == 0) return;
  y[i] += totals[block - 1];
}
