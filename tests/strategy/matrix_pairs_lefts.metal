// Sums that one loop keeps as a pair, since their products share the left
// factor, and the next one does not: there each has its own.
// GROUP: 32
// AVX512: line 23: 2 loads, rows of a simdgroup matrix
#include <metal_stdlib>
#include <metal_simdgroup_matrix>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device float *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint t [[thread_index_in_threadgroup]],
              uint size [[threads_per_threadgroup]],
              uint group [[threadgroup_position_in_grid]]) {
  threadgroup float a[1024];
  for (uint e = t; e < 1024; e += size) a[e] = float(in[e] % 61) / 8;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  simdgroup_float8x8 left, other, right[2], sum[2];
  for (uint s = 0; s < 2; s++)
    sum[s] = make_filled_simdgroup_matrix<float, 8, 8>(1.0f);
  for (uint i = 0; i < n; i++) {
    simdgroup_load(left, a + i % 8 * 32, 8);
    for (uint s = 0; s < 2; s++)
      simdgroup_load(right[s], a + 256 + i % 8 * 32 + s * 8, 16);
    for (uint s = 0; s < 2; s++)
      simdgroup_multiply_accumulate(sum[s], left, right[s], sum[s]);
  }
  for (uint i = 0; i < n; i++) {
    simdgroup_load(left, a + i % 8 * 40 + 7, 8);
    simdgroup_load(other, a + i % 8 * 40 + 100, 8);
    simdgroup_load(right[0], a + 600 + i % 8 * 32, 16);
    simdgroup_multiply_accumulate(sum[0], left, right[0], sum[0]);
    simdgroup_multiply_accumulate(sum[1], other, right[0], sum[1]);
  }
  if (size < 32) return;  // not whole: its products are undefined
  for (uint s = 0; s < 2; s++)
    simdgroup_store(sum[s], out + group * 2048 + s * 64, 8);
}
