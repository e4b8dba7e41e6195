// Two sums that are kept side by side, and stored with another store in
// between, or the other way round, or below each other: one at a time.
// GROUP: 32
// ALL: line 33: store, rows of a simdgroup matrix
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
  simdgroup_float8x8 sum[4];
  for (uint c = 0; c < 4; c++)
    sum[c] = make_filled_simdgroup_matrix<float, 8, 8>(1.0f);
  for (uint i = 0; i < n; i += 8) {
    simdgroup_float8x8 left, right[4];
    simdgroup_load(left, a + i, 40);
    for (uint c = 0; c < 4; c++)
      simdgroup_load(right[c], b + i * 32 + c * 8, 32);
    for (uint c = 0; c < 4; c++)
      simdgroup_multiply_accumulate(sum[c], left, right[c], sum[c]);
  }
  if (size < 32) return;  // not whole: its products are undefined
  device float *to = out + group * 512;
  simdgroup_store(sum[0], to, 32);
  simdgroup_store(sum[2], to + 256, 8);
  simdgroup_store(sum[1], to + 8, 32);
  simdgroup_store(sum[2], to + 24, 32);
  simdgroup_store(sum[3], to + 16, 32);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  simdgroup_store(sum[0], to + 320, 8);
  simdgroup_store(sum[1], to + 384, 8);
  simdgroup_store(sum[2], to + 448, 8);
}
