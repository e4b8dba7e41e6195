// Sums that change places with each other in a loop, or are scaled in it,
// cannot be kept side by side.
// GROUP: 32
// AVX512: vinsertf64x4
// ALL: rows of a simdgroup matrix
#include <metal_stdlib>
#include <metal_simdgroup_matrix>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device float *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint t [[thread_index_in_threadgroup]],
              uint size [[threads_per_threadgroup]],
              uint group [[threadgroup_position_in_grid]]) {
  threadgroup float a[8 * 40], b[40 * 32];
  for (uint e = t; e < 1280; e += size) {
    if (e < 320) a[e] = float(in[e] % 61) / 8;
    b[e] = float(in[2048 + e] % 53) / 8;
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  simdgroup_float8x8 sum[3], x, y;
  for (uint c = 0; c < 3; c++)
    sum[c] = make_filled_simdgroup_matrix<float, 8, 8>(1.0f);
  x = sum[1], y = sum[2];
  for (uint i = 0; i < n; i += 8) {
    simdgroup_float8x8 left, right[4], p, q;
    simdgroup_load(left, a + i, 40);
    for (uint c = 0; c < 4; c++)
      simdgroup_load(right[c], b + i * 32 + c * 8, 32);
    for (uint c = 0; c < 3; c++)
      simdgroup_multiply_accumulate(sum[c], left, right[c * 2 % 4],
                                    sum[c]);
    // they change places
    simdgroup_multiply_accumulate(p, left, right[0], x);
    simdgroup_multiply_accumulate(q, left, right[3], y);
    x = q, y = p;
    // and one is halved
    sum[1].thread_elements() *= 0.5f;
  }
  if (size < 32) return;  // not whole: its products are undefined
  device float *to = out + group * 512;
  for (uint c = 0; c < 3; c++) simdgroup_store(sum[c], to + c * 64, 8);
  simdgroup_store(x, to + 192, 8);
  simdgroup_store(y, to + 256, 8, ulong2(0, 0), true);
}
