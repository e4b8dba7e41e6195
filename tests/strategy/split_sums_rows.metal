// Two rows of eight matrices, more than registers can hold: three loops, of
// six, six and four rows. The second one computes the lower rows of the upper
// matrices and the upper rows of the lower ones, with one load of each row of
// the right factors. Slots of the left one and what fills them are prefetched.
// GROUP: 64
// AVX512: line 40: products, in 3 loops one after the other
// AVX512: prefetcht0
// AVX512: prefetcht1
// AVX2-NOT: loops one after the other
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
  threadgroup float a[2 * 16 * 16], b[16 * 64];
  simdgroup_float8x8 sum[2][8];
  for (uint r = 0; r < 2; r++)
    for (uint c = 0; c < 8; c++)
      sum[r][c] = make_filled_simdgroup_matrix<float, 8, 8>(r * 8.0f + c);
  for (uint k = 0; k < n; k++) {
    for (uint e = t; e < 512; e += size) {
      a[e] = float(as_type<uint>(in[k * 256 + e]) % 61) / 8;
      b[e] = float(as_type<uint>(in[k * 256 + 2048 + e]) % 53) / 8;
      b[512 + e] = float(as_type<uint>(in[k * 256 + 4096 + e]) % 47) / 8;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint i = 0; i < 16; i += 8) {
      simdgroup_float8x8 left[2], right[8];
      for (uint r = 0; r < 2; r++)
        simdgroup_load(left[r], a + (simd % 2 * 16 + r * 8) * 16 + i, 16);
      for (uint c = 0; c < 8; c++)
        simdgroup_load(right[c], b + i * 64 + c * 8, 64);
      for (uint r = 0; r < 2; r++)
        for (uint c = 0; c < 8; c++)
          simdgroup_multiply_accumulate(sum[r][c], left[r], right[c],
                                        sum[r][c]);
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (simd * 32 + 32 > size) return;  // not whole: its products are undefined
  device float *to = out + group * 2048 + simd % 2 * 1024;
  simdgroup_multiply_accumulate(sum[1][2], sum[0][1], sum[1][5], sum[1][2]);
  for (uint r = 0; r < 2; r++)
    for (uint c = 0; c < 8; c++)
      simdgroup_store(sum[r][c], to + r * 512 + c * 8, 64);
}
