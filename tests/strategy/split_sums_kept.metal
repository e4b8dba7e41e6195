// The same where tiles are kept: the loop that computes has no barriers, and
// its sums, three rows of two, are added up by three loops. Between them sums
// are in the frame.
// GROUP: 64
// ALL: line 29: store, to a tile that is kept for all threadgroups
// ALL: line 30: store, to a tile that is kept for all threadgroups
// AVX512: line 42: products, in 3 loops one after the other
// AVX2: line 42: products, in 6 loops one after the other
// NEON: line 42: products, in 6 loops one after the other
#include <metal_stdlib>
#include <metal_simdgroup_matrix>
using namespace metal;
kernel void k(device const float *in [[buffer(0)]],
              device float *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint t [[thread_index_in_threadgroup]],
              uint size [[threads_per_threadgroup]],
              uint simd [[simdgroup_index_in_threadgroup]],
              uint group [[threadgroup_position_in_grid]]) {
  threadgroup float a[2 * 24 * 16], b[16 * 16];
  simdgroup_float8x8 sum[3][2];
  for (uint r = 0; r < 3; r++)
    for (uint c = 0; c < 2; c++)
      sum[r][c] = make_filled_simdgroup_matrix<float, 8, 8>(1.0f);
  float beside = 0;
  for (uint k = 0; k < n; k++) {
    for (uint e = t; e < 256; e += size) {
      for (uint o = 0; o < 3; o++)
        a[o * 256 + e] = float(as_type<uint>(in[k * 256 + o + e]) % 61) / 8;
      b[e] = float(as_type<uint>(in[k * 256 + 4096 + e]) % 53) / 8;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    beside = beside / 2 + b[t % 256];
    for (uint i = 0; i < 16; i += 8) {
      simdgroup_float8x8 left[3], right[2];
      for (uint r = 0; r < 3; r++)
        simdgroup_load(left[r], a + (simd % 2 * 24 + r * 8) * 16 + i, 16);
      for (uint c = 0; c < 2; c++)
        simdgroup_load(right[c], b + i * 16 + c * 8, 16);
      for (uint r = 0; r < 3; r++)
        for (uint c = 0; c < 2; c++)
          simdgroup_multiply_accumulate(sum[r][c], left[r], right[c],
                                        sum[r][c]);
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (simd * 32 + 32 > size) return;  // not whole: its products are undefined
  device float *to = out + group * 2048 + simd % 2 * 1024;
  for (uint r = 0; r < 3; r++)
    for (uint c = 0; c < 2; c++)
      simdgroup_store(sum[r][c], to + r * 128 + c * 8, 16);
  simdgroup_multiply_accumulate(sum[0][0], sum[1][1], sum[2][0], sum[0][1]);
  simdgroup_store(sum[0][0], to + 512, 8);
  to[640 + t % 32] = beside;
}
