// Tiles of eight rows, stored four rows apart.
// run: --grid 64 --group 64 --arg out=float[96]
// fixed: --grid 64 --group 64 --arg out=float[128]
// also: coverage
#include <metal_stdlib>
using namespace metal;

kernel void paint(device float *out [[buffer(0)]],
                  uint simd [[simdgroup_index_in_threadgroup]]) {
  simdgroup_float8x8 tile = make_filled_simdgroup_matrix<float, 8, 8>(simd + 1.0f);
#ifdef FIXED
  simdgroup_store(tile, out + simd * 64, 8);
#else
  simdgroup_store(tile, out + simd * 32, 8); // !race
#endif
}
