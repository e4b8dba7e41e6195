// Sums of products that live across barriers are kept in the frame as products
// want them, two rows of eight side by side: no shuffles, no stack. The loop
// reads what the kernel writes, so its tiles are not kept, and barriers stay.
// GROUP: 64
// ALL-NOT: a tile that is kept
// AVX512-NOT: vinsertf64x4
// AVX512-NOT: vextractf64x4
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
  threadgroup float a[2 * 16 * 16], b[16 * 32];
  simdgroup_float8x8 sum[2][4];
  for (uint r = 0; r < 2; r++)
    for (uint c = 0; c < 4; c++)
      sum[r][c] = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
  for (uint k = 0; k < n % 8; k++) {
    for (uint e = t; e < 512; e += size)
      a[e] = float(as_type<uint>(in[k * 512 + e]) % 61) / 8 +
             float(as_type<uint>(out[16384 + e]) % 3),
      b[e] = float(as_type<uint>(in[k * 512 + 4096 + e]) % 53) / 8;
    threadgroup_barrier(mem_flags::mem_threadgroup);
#pragma clang loop unroll(full)
    for (uint i = 0; i < 16; i += 8) {
      simdgroup_float8x8 left[2], right[4];
      for (uint r = 0; r < 2; r++)
        simdgroup_load(left[r], a + (simd % 2 * 16 + r * 8) * 16 + i, 16);
      for (uint c = 0; c < 4; c++)
        simdgroup_load(right[c], b + i * 32 + c * 8, 32);
      for (uint r = 0; r < 2; r++)
        for (uint c = 0; c < 4; c++)
          simdgroup_multiply_accumulate(sum[r][c], left[r], right[c],
                                        sum[r][c]);
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (simd * 32 + 32 > size) return;  // not whole: its products are undefined
  for (uint r = 0; r < 2; r++)
    for (uint c = 0; c < 4; c++)
      simdgroup_store(
          sum[r][c], out + group * 1024 + simd % 2 * 512 + r * 256 + c * 8, 32);
}
