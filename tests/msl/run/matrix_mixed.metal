// section: 6.7 SIMD-Group Matrix Functions
// construct: half matrices accumulate into float
// grid: 32
// group: 32
// in: a half 0 5 3 1 6 4 2 0 3 1 6 4 2 0 5 3 6 4 2 0 5 3 1 6 2 0 5 3 1 6 4 2 5 3 1 6 4 2 0 5 1 6
//   4 2 0 5 3 1 4 2 0 5 3 1 6 4 0 5 3 1 6 4 2 0
// in: b half 0 1 2 3 4 0 1 2 2 3 4 0 1 2 3 4 4 0 1 2 3 4 0 1 1 2 3 4 0 1 2 3 3 4 0 1 2 3 4 0 0 1
//   2 3 4 0 1 2 2 3 4 0 1 2 3 4 4 0 1 2 3 4 0 1
// out: out float 45 51 42 28 44 45 51 42 58 37 51 45 49 58 37 51 57 44 46 48 75 57 44 46 42 30 48
//   51 59 42 30 48 48 44 50 61 57 48 44 50 40 37 59 36 48 40 37 59 46 51 61 46 46 46 51 61 45 51
//   42 28 44 45 51 42
#include <metal_stdlib>
using namespace metal;

kernel void test(device const half *a [[buffer(0)]], device const half *b [[buffer(1)]],
                 device float *out [[buffer(2)]]) {
  simdgroup_half8x8 x, y;
  simdgroup_float8x8 z = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
  simdgroup_load(x, a, 8);
  simdgroup_load(y, b, 8);
  simdgroup_multiply_accumulate(z, x, y, z);
  simdgroup_store(z, out, 8);
}
