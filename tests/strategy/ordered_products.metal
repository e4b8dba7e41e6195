// Products of 2 x 4 sums, four steps: all of a row come before the next row's,
// which together would not fit into the registers.
// GROUP: 32
// AVX512: vbroadcastss	1020(
// AVX512: vbroadcastss	1024(
#include <metal_stdlib>
#include <metal_simdgroup_matrix>
using namespace metal;
kernel void k(device const float *in [[buffer(0)]],
              device float *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint size [[threads_per_threadgroup]]) {
  if (size < 32) return;  // not whole: its products are undefined
  simdgroup_float8x8 sum[2][4];
  for (uint r = 0; r < 2; r++)
    for (uint c = 0; c < 4; c++)
      sum[r][c] = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
#pragma clang loop unroll(full)
  for (uint t = 0; t < 32; t += 8) {
    simdgroup_float8x8 left[2], right[4];
    for (uint r = 0; r < 2; r++)
      simdgroup_load(left[r], in + r * 8 * 32 + t, 32);
    for (uint c = 0; c < 4; c++)
      simdgroup_load(right[c], in + 1024 + t * 32 + c * 8, 32);
    for (uint r = 0; r < 2; r++)
      for (uint c = 0; c < 4; c++)
        simdgroup_multiply_accumulate(sum[r][c], left[r], right[c], sum[r][c]);
  }
  for (uint r = 0; r < 2; r++)
    for (uint c = 0; c < 4; c++)
      simdgroup_store(sum[r][c], out + r * 8 * 32 + c * 8, 32);
}
