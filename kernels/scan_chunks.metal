#include <metal_stdlib>
using namespace metal;

// Running sums with as little traffic as a GPU needs without threadgroups that
// wait for each other: chunk_sums reads everything once and leaves the sum of
// each chunk; chunk_scan adds up those of the chunks before its own, reads
// everything again and writes the answer, the last chunk first, since that is
// still in the cache. scan, which is simpler, writes the answer of each block,
// reads it and writes it again.
//
// A SIMD-group takes ROWS rows of a float4 for each lane: neighbours read
// neighbouring memory, and the rows do not wait for each other.
#define THREADS 256
#define ROWS 4
#define BLOCK (4 * ROWS * THREADS)  // of a threadgroup, at a time

// ROWS rows of 'width' float4 each from 'at' on, one of each row; 0 past the
// end. A block that lies before it needs no test for each element.
static void load(thread float4 *v, device const float *x, uint at, uint width,
                 bool whole, uint end) {
  if (whole) {
#pragma unroll
    for (uint r = 0; r < ROWS; r++)
      v[r] = *(device const float4 *)(x + at + 4 * r * width);
    return;
  }
#pragma unroll
  for (uint r = 0; r < ROWS; r++)
    for (uint j = 0; j < 4; j++) {
      uint i = at + 4 * r * width + j;
      v[r][j] = i < end ? x[i] : 0;
    }
}

static void store(device float *y, uint at, uint width, bool whole, uint end,
                  thread const float4 *v) {
  if (whole) {
#pragma unroll
    for (uint r = 0; r < ROWS; r++)
      *(device float4 *)(y + at + 4 * r * width) = v[r];
    return;
  }
#pragma unroll
  for (uint r = 0; r < ROWS; r++)
    for (uint j = 0; j < 4; j++) {
      uint i = at + 4 * r * width + j;
      if (i < end) y[i] = v[r][j];
    }
}

// The sum over the group of what its SIMD-groups have, 'v' in each, for all
// threads; 'before': of the SIMD-groups before this one. 'part' may be used
// again after the next barrier.
static float group_sum(float v, threadgroup float *part, uint lane, uint simd,
                       uint simds, uint width, thread float &before) {
  if (lane == 0) part[simd] = v;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (simds <= width) {  // else a SIMD-group is too short for all of them
    float own = lane < simds ? part[lane] : 0.0f;
    float upto = simd_prefix_inclusive_sum(own);
    before = simd_shuffle(upto - own, ushort(simd));
    return simd_shuffle(upto, ushort(simds - 1));
  }
  float all = 0;
  before = 0;
  for (uint s = 0; s < simds; s++) {
    if (s == simd) before = all;
    all += part[s];
  }
  return all;
}

kernel void chunk_sums(device const float *x    [[buffer(0)]],
                       device float       *sums [[buffer(1)]],
                       constant uint      &n     [[buffer(2)]],
                       constant uint      &chunk [[buffer(3)]],
                       uint t     [[thread_position_in_threadgroup]],
                       uint lane  [[thread_index_in_simdgroup]],
                       uint simd  [[simdgroup_index_in_threadgroup]],
                       uint simds [[simdgroups_per_threadgroup]],
                       uint width [[threads_per_simdgroup]],
                       uint group [[threadgroup_position_in_grid]]) {
  threadgroup float part[32];
  uint first = group * chunk, end = min(n, first + chunk);
  float4 sum[ROWS] = {};
  for (uint at = first; at < end; at += BLOCK) {
    float4 v[ROWS];
    load(v, x, at + 4 * t, THREADS, at + BLOCK <= end, end);
    for (uint r = 0; r < ROWS; r++) sum[r] += v[r];
  }
  float4 v = 0;
  for (uint r = 0; r < ROWS; r++) v += sum[r];
  float before, all = group_sum(simd_sum((v.x + v.y) + (v.z + v.w)), part, lane,
                                simd, simds, width, before);
  if (t == 0) sums[group] = all;
}

kernel void chunk_scan(device const float *x      [[buffer(0)]],
                       device float       *y      [[buffer(1)]],
                       device const float *sums   [[buffer(2)]],
                       constant uint      &n      [[buffer(3)]],
                       constant uint      &chunk  [[buffer(4)]],
                       uint t      [[thread_position_in_threadgroup]],
                       uint lane   [[thread_index_in_simdgroup]],
                       uint simd   [[simdgroup_index_in_threadgroup]],
                       uint simds  [[simdgroups_per_threadgroup]],
                       uint width  [[threads_per_simdgroup]],
                       uint groups [[threadgroups_per_grid]],
                       uint group  [[threadgroup_position_in_grid]]) {
  threadgroup float part[2][32];  // one is read while the other is written
  uint number = groups - 1 - group;
  uint first = number * chunk, end = min(n, first + chunk);
  float chunks = 0, before;
  for (uint c = t; c < number; c += THREADS) chunks += sums[c];
  float start =
      group_sum(simd_sum(chunks), part[1], lane, simd, simds, width, before);
  uint now = 0;
  for (uint at = first; at < end; at += BLOCK) {
    uint own = at + 4 * (simd * ROWS * width + lane);
    bool whole = at + BLOCK <= end;
    float4 v[ROWS];
    load(v, x, own, width, whole, end);

    // each row's running sums, from the first row's first element on
    float rows = 0;
    for (uint r = 0; r < ROWS; r++) {
      v[r].y += v[r].x;
      v[r].z += v[r].y;
      v[r].w += v[r].z;
      float lanes = simd_prefix_exclusive_sum(v[r].w);
      float row = simd_broadcast(lanes + v[r].w, ushort(width - 1));
      v[r] += rows + lanes;
      rows += row;
    }
    float all = group_sum(rows, part[now], lane, simd, simds, width, before);
    for (uint r = 0; r < ROWS; r++) v[r] += start + before;
    store(y, own, width, whole, end, v);
    start += all;
    now = 1 - now;
  }
}
