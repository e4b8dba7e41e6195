// Sums that change places from one iteration to the next, are used after their
// products, or become something else than a product: what is read from the
// frame and written to it early must be what the kernel says.
// GROUP: 32
#include <metal_stdlib>
#include <metal_simdgroup_matrix>
using namespace metal;
kernel void k(device const float *in [[buffer(0)]],
              device float *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint t [[thread_index_in_threadgroup]],
              uint size [[threads_per_threadgroup]],
              uint group [[threadgroup_position_in_grid]]) {
  threadgroup float a[64], b[128];
  simdgroup_float8x8 x = make_filled_simdgroup_matrix<float, 8, 8>(1.0f);
  simdgroup_float8x8 y = make_filled_simdgroup_matrix<float, 8, 8>(2.0f);
  simdgroup_float8x8 z = x, w = y, u = x, v = y, g = x, h = y;
  for (uint k = 0; k < n % 8; k++) {
    for (uint e = t; e < 128; e += size) {
      a[e % 64] = float(as_type<uint>(in[k * 64 + e % 64]) % 7) / 8;
      b[e] = float(as_type<uint>(in[k * 128 + 4096 + e]) % 5) / 8;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    simdgroup_float8x8 left, r0, r1, p, q;
    simdgroup_load(left, a, 8);
    simdgroup_load(r0, b, 16);
    simdgroup_load(r1, b + 8, 16);
    simdgroup_multiply_accumulate(p, left, r0, x);
    simdgroup_multiply_accumulate(q, left, r1, y);
    // exchanged
    x = q, y = p;
    // the old sums once more, after their products
    simdgroup_multiply_accumulate(p, left, r0, z);
    simdgroup_multiply_accumulate(q, left, r1, w);
    simdgroup_multiply_accumulate(z, p, r1, z);
    simdgroup_multiply_accumulate(w, q, r0, w);
    // new sums, made before the old ones are used
    simdgroup_multiply(p, left, r0);
    simdgroup_multiply(q, left, r1);
    simdgroup_multiply_accumulate(g, r1, left, u);
    simdgroup_multiply_accumulate(h, r1, r0, v);
    u = p, v = q;
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (size < 32) return;  // not a whole SIMD-group: its products are undefined
  device float *to = out + group * 512;
  simdgroup_store(x, to, 8);
  simdgroup_store(y, to + 64, 8);
  simdgroup_store(z, to + 128, 8);
  simdgroup_store(w, to + 192, 8);
  simdgroup_store(u, to + 256, 8);
  simdgroup_store(v, to + 320, 8);
  simdgroup_store(g, to + 384, 8);
  simdgroup_store(h, to + 448, 8);
}
