#include <metal_stdlib>
using namespace metal;

// Rows with mean 0 and variance 1, then scaled by gamma and shifted by beta;
// one threadgroup per row. layernorm reads the row three times; here each
// thread keeps EACH elements of it in registers, so that a row is read once and
// written once. Of a longer row the pieces are read again.
#define EACH 16

static float group_sum(float v, threadgroup float *part, uint lane,
                       uint simd, uint simds) {
  v = simd_sum(v);
  if (lane == 0) part[simd] = v;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  v = simd_sum(lane < simds ? part[lane] : 0.0f);
  threadgroup_barrier(mem_flags::mem_threadgroup);  // part may be used again
  return v;
}

kernel void layernorm_once(device const float *x     [[buffer(0)]],
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
  bool again = columns > EACH * size;  // the row is longer than the registers
  float v[EACH];

  float sum = 0;
  for (uint first = t; first < columns; first += EACH * size)
    for (uint k = 0; k < EACH; k++) {
      uint j = first + k * size;
      v[k] = j < columns ? from[j] : 0;
      sum += v[k];
    }
  float mean = group_sum(sum, part, lane, simd, simds) / columns;

  float squares = 0;
  for (uint first = t; first < columns; first += EACH * size)
    for (uint k = 0; k < EACH; k++) {
      uint j = first + k * size;
      if (again && j < columns) v[k] = from[j];
      float d = j < columns ? v[k] - mean : 0;
      squares += d * d;
    }
  float variance = group_sum(squares, part, lane, simd, simds) / columns;

  float scale = rsqrt(variance + epsilon);
  for (uint first = t; first < columns; first += EACH * size)
    for (uint k = 0; k < EACH; k++) {
      uint j = first + k * size;
      if (again && j < columns) v[k] = from[j];
      if (j < columns) to[j] = (v[k] - mean) * scale * gamma[j] + beta[j];
    }
}
