// A simdgroup matrix is rows of eight, each a short vector; one that is
// transposed in memory, or of which each lane knows the stride, is gathered.
// GROUP: 32
// ALL: load, rows of a simdgroup matrix
// ALL: load, gather: its lanes are not contiguous
// ALL: store, rows of a simdgroup matrix
#include <metal_stdlib>
#include <metal_simdgroup_matrix>
using namespace metal;
kernel void k(device const float *in [[buffer(0)]],
              device float *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint size [[threads_per_threadgroup]],
              uint group [[threadgroup_position_in_grid]]) {
  simdgroup_float8x8 a, b, c;
  if (size < 32) return;  // not whole: its products are undefined
  simdgroup_load(a, in + group * 64, 8);
  simdgroup_load(b, in + 4096 + group, n, ulong2(0, 0), true);
  simdgroup_multiply(c, a, b);
  simdgroup_store(c, out + group * 64, 8);
}
