#include <metal_stdlib>
using namespace metal;

// Running sums with as little traffic as a GPU needs without threadgroups that
// wait for each other: chunk_sums reads everything once and leaves the sum of
// each chunk; chunk_starts makes running sums of these, a thousand at most; and
// chunk_scan reads everything again and writes the answer. scan, which is
// simpler, writes the answer of each block, reads it and writes it again.
//
// A SIMD-group takes ROWS rows of a float4 for each lane: neighbours read
// neighbouring memory, and the rows do not wait for each other.
#define THREADS 256
#define ROWS 4

// Up to four elements at 'at', 0 behind the last one.
static float4 load4(device const float *x, uint at, uint n) {
  if (n >= 4 && at <= n - 4) return *(device const float4 *)(x + at);
  float4 v = 0;
  for (uint j = 0; j < 4; j++)
    if (at + j < n) v[j] = x[at + j];
  return v;
}

static void store4(device float *y, uint at, uint n, float4 v) {
  if (n >= 4 && at <= n - 4) {
    *(device float4 *)(y + at) = v;
    return;
  }
  for (uint j = 0; j < 4; j++)
    if (at + j < n) y[at + j] = v[j];
}

// The sum over the group, for all of its threads; 'before': of the SIMD-groups
// before this one.
static float group_sum(float v, threadgroup float *part, uint lane, uint simd,
                       uint simds, thread float &before) {
  v = simd_sum(v);
  if (lane == 0) part[simd] = v;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  before = 0;
  float all = 0;
  for (uint s = 0; s < simds; s++) {
    if (s == simd) before = all;
    all += part[s];
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);  // part may be used again
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
                       uint group [[threadgroup_position_in_grid]]) {
  threadgroup float part[32];
  uint first = group * chunk, end = min(n, first + chunk);
  float4 sum[ROWS] = {};
  for (uint at = first; at < end; at += 4 * ROWS * THREADS)
    for (uint r = 0; r < ROWS; r++)
      sum[r] += load4(x, at + 4 * (r * THREADS + t), end);
  float4 v = 0;
  for (uint r = 0; r < ROWS; r++) v += sum[r];
  float before, all = group_sum((v.x + v.y) + (v.z + v.w), part, lane, simd,
                                simds, before);
  if (t == 0) sums[group] = all;
}

// One group: sums[i] becomes the sum of all before it.
kernel void chunk_starts(device float  *sums  [[buffer(0)]],
                         constant uint &count [[buffer(1)]],
                         uint t     [[thread_position_in_threadgroup]],
                         uint size  [[threads_per_threadgroup]],
                         uint lane  [[thread_index_in_simdgroup]],
                         uint simd  [[simdgroup_index_in_threadgroup]],
                         uint simds [[simdgroups_per_threadgroup]]) {
  threadgroup float part[32];
  float start = 0, before;
  for (uint first = 0; first < count; first += size) {
    uint i = first + t;
    float v = i < count ? sums[i] : 0;
    float all = group_sum(v, part, lane, simd, simds, before);
    float mine = start + before + simd_prefix_exclusive_sum(v);
    if (i < count) sums[i] = mine;
    start += all;
  }
}

kernel void chunk_scan(device const float *x      [[buffer(0)]],
                       device float       *y      [[buffer(1)]],
                       device const float *starts [[buffer(2)]],
                       constant uint      &n      [[buffer(3)]],
                       constant uint      &chunk  [[buffer(4)]],
                       uint lane  [[thread_index_in_simdgroup]],
                       uint simd  [[simdgroup_index_in_threadgroup]],
                       uint simds [[simdgroups_per_threadgroup]],
                       uint width [[threads_per_simdgroup]],
                       uint group [[threadgroup_position_in_grid]]) {
  threadgroup float part[32];
  uint first = group * chunk, end = min(n, first + chunk);
  float start = starts[group], before;
  for (uint at = first; at < end; at += 4 * ROWS * THREADS) {
    uint own = at + 4 * (simd * ROWS * width + lane);
    float4 v[ROWS];
    for (uint r = 0; r < ROWS; r++) v[r] = load4(x, own + 4 * r * width, end);

    // each row's running sums, from the first row's first element on
    float rows = 0;
    for (uint r = 0; r < ROWS; r++) {
      v[r].y += v[r].x;
      v[r].z += v[r].y;
      v[r].w += v[r].z;
      float lanes = simd_prefix_exclusive_sum(v[r].w);
      float row = simd_broadcast(lanes + v[r].w, width - 1);
      v[r] += rows + lanes;
      rows += row;
    }
    // 'rows' is the same in all lanes: one of them brings it into the sum
    float all = group_sum(lane == 0 ? rows : 0.0f, part, lane, simd, simds,
                          before);
    for (uint r = 0; r < ROWS; r++)
      store4(y, own + 4 * r * width, end, v[r] + (start + before));
    start += all;
  }
}
