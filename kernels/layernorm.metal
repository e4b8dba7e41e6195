#include <metal_stdlib>
using namespace metal;

// Rows with mean 0 and variance 1, then scaled by gamma and shifted by beta;
// one threadgroup per row. The variance is taken from the distances to the
// mean, not from the sum of squares, which loses its digits where the mean is
// large.
static float group_sum(float v, threadgroup float *part, uint lane,
                       uint simd, uint simds) {
  v = simd_sum(v);
  if (lane == 0) part[simd] = v;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  v = simd_sum(lane < simds ? part[lane] : 0.0f);
  threadgroup_barrier(mem_flags::mem_threadgroup);  // part may be used again
  return v;
}

kernel void layernorm(device const float *x     [[buffer(0)]],
                      device const float *gamma [[buffer(1)]],
                      device const float *beta  [[buffer(2)]],
                      device float       *y     [[buffer(3)]],
                      constant uint  &columns   [[buffer(4)]],
                      constant float &epsilon   [[buffer(5)]],
                      uint t     [[thread_position_in_threadgroup]],
                      uint size  [[threads_per_threadgroup]],
                      uint lane  [[thread_index_in_simdgroup]],
                      uint simd  [[simdgroup_index_in_threadgroup]],
                      uint simds [[simdgroups_per_threadgroup]],
                      uint row   [[threadgroup_position_in_grid]]) {
  threadgroup float part[32];
  device const float *from = x + row * columns;
  device float *to = y + row * columns;

  float sum = 0;
  for (uint j = t; j < columns; j += size) sum += from[j];
  float mean = group_sum(sum, part, lane, simd, simds) / columns;

  float squares = 0;
  for (uint j = t; j < columns; j += size) {
    float d = from[j] - mean;
    squares += d * d;
  }
  float variance = group_sum(squares, part, lane, simd, simds) / columns;

  float scale = rsqrt(variance + epsilon);
  for (uint j = t; j < columns; j += size)
    to[j] = (from[j] - mean) * scale * gamma[j] + beta[j];
}
