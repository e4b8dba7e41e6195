// A loop that adds up 4 x 4 matrices, which are more than there are registers:
// three loops, of twelve, ten and ten rows. What else it computes is in one.
// GROUP: 32
// AVX512: line 35: products, in 3 loops one after the other
// AVX2-NOT: loops one after the other
#include <metal_stdlib>
#include <metal_simdgroup_matrix>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device float *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint t [[thread_index_in_threadgroup]],
              uint size [[threads_per_threadgroup]],
              uint group [[threadgroup_position_in_grid]]) {
  threadgroup float a[32 * 40], b[40 * 32];
  for (uint e = t; e < 1280; e += size) {
    a[e] = float(in[e] % 61) / 8;
    b[e] = float(in[2048 + e] % 53) / 8;
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  simdgroup_float8x8 sum[4][4];
  for (uint r = 0; r < 4; r++)
    for (uint c = 0; c < 4; c++)
      sum[r][c] = make_filled_simdgroup_matrix<float, 8, 8>(2.0f);
  uint beside = 0;
  for (uint i = 0; i < n; i += 8) {
    beside = beside * 3 + uint(a[i]);
    simdgroup_float8x8 left[4], right[4];
    for (uint r = 0; r < 4; r++)
      simdgroup_load(left[r], a + r * 8 * 40 + i, 40);
    for (uint c = 0; c < 4; c++)
      simdgroup_load(right[c], b + i * 32 + c * 8, 32);
    for (uint r = 0; r < 4; r++)
      for (uint c = 0; c < 4; c++)
        simdgroup_multiply_accumulate(sum[r][c], left[r], right[c], sum[r][c]);
  }
  if (size < 32) return;  // not whole: its products are undefined
  device float *to = out + group * 2048;
  for (uint r = 0; r < 4; r++)
    for (uint c = 0; c < 4; c++)
      simdgroup_store(sum[r][c], to + r * 8 * 32 + c * 8, 32);
  simdgroup_multiply_accumulate(sum[3][0], sum[0][1], sum[1][2], sum[2][3]);
  simdgroup_store(sum[3][0], to + 1024, 8);
  if (t == 0) to[1536] = float(beside % 1000);
}
