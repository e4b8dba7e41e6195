#include <metal_stdlib>
using namespace metal;

// Each row of y = exp(row of x), scaled to a sum of 1; one threadgroup per row.
// The largest element is subtracted first: the answer is the same, and exp
// cannot overflow.

// The sum, or the maximum, over all threads of the group, given to all of them.
static float group_sum(float v, threadgroup float *part, uint lane,
                       uint simd, uint simds) {
  v = simd_sum(v);
  if (lane == 0) part[simd] = v;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  v = simd_sum(lane < simds ? part[lane] : 0.0f);
  threadgroup_barrier(mem_flags::mem_threadgroup);  // part may be used again
  return v;
}

static float group_max(float v, threadgroup float *part, uint lane,
                       uint simd, uint simds) {
  v = simd_max(v);
  if (lane == 0) part[simd] = v;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  v = simd_max(lane < simds ? part[lane] : -INFINITY);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  return v;
}

kernel void softmax(device const float *x       [[buffer(0)]],
                    device float       *y       [[buffer(1)]],
                    constant uint      &columns [[buffer(2)]],
                    uint t     [[thread_position_in_threadgroup]],
                    uint size  [[threads_per_threadgroup]],
                    uint lane  [[thread_index_in_simdgroup]],
                    uint simd  [[simdgroup_index_in_threadgroup]],
                    uint simds [[simdgroups_per_threadgroup]],
                    uint row   [[threadgroup_position_in_grid]]) {
  threadgroup float part[32];
  device const float *from = x + row * columns;
  device float *to = y + row * columns;

  float largest = -INFINITY;
  for (uint j = t; j < columns; j += size) largest = max(largest, from[j]);
  largest = group_max(largest, part, lane, simd, simds);

  float sum = 0;
  for (uint j = t; j < columns; j += size) {
    float e = exp(from[j] - largest);
    to[j] = e;
    sum += e;
  }
  sum = group_sum(sum, part, lane, simd, simds);

  float scale = 1 / sum;
  for (uint j = t; j < columns; j += size) to[j] *= scale;
}
