#include <metal_stdlib>
using namespace metal;

// Each row of y = exp(row of x), scaled to a sum of 1; one threadgroup per row.
// softmax reads the row twice and its own answer once; here each thread keeps
// EACH elements of the row in registers, so that a row is read once and written
// once. Of a longer row it goes on piece by piece: whenever a larger element
// comes, what was summed so far is scaled down to it.
#define EACH 16
#define LOWEST (-3.402823466e38f)  // below all; two of them differ by 0

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
  v = simd_max(lane < simds ? part[lane] : LOWEST);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  return v;
}

kernel void softmax_once(device const float *x   [[buffer(0)]],
                         device float       *y   [[buffer(1)]],
                         constant uint &columns  [[buffer(2)]],
                         uint t     [[thread_position_in_threadgroup]],
                         uint size  [[threads_per_threadgroup]],
                         uint lane  [[thread_index_in_simdgroup]],
                         uint simd  [[simdgroup_index_in_threadgroup]],
                         uint simds [[simdgroups_per_threadgroup]],
                         uint row   [[threadgroup_position_in_grid]]) {
  threadgroup float part[32];
  device const float *from = x + row * columns;
  device float *to = y + row * columns;
  float v[EACH];

  float largest = LOWEST, sum = 0;  // of this thread
  for (uint first = t; first < columns; first += EACH * size) {
    float before = largest;
    for (uint k = 0; k < EACH; k++) {
      uint j = first + k * size;
      v[k] = j < columns ? from[j] : LOWEST;
      largest = max(largest, v[k]);
    }
    sum *= exp(before - largest);
    for (uint k = 0; k < EACH; k++) sum += exp(v[k] - largest);
  }

  float top = group_max(largest, part, lane, simd, simds);
  sum *= exp(largest - top);
  float scale = 1 / group_sum(sum, part, lane, simd, simds);

  for (uint first = t; first < columns; first += EACH * size)
    for (uint k = 0; k < EACH; k++) {
      uint j = first + k * size;
      if (columns > EACH * size && j < columns) v[k] = from[j];  // once more
      if (j < columns) to[j] = exp(v[k] - top) * scale;
    }
}
