// section: 6.7 SIMD-Group Matrix Functions
// construct: simdgroup_multiply_accumulate
// grid: 32
// group: 32
// in: a float 0 5 3 1 6 4 2 0 3 1 6 4 2 0 5 3 6 4 2 0 5 3 1 6 2 0 5 3 1 6 4 2 5 3 1 6 4 2 0 5 1 6
//   4 2 0 5 3 1 4 2 0 5 3 1 6 4 0 5 3 1 6 4 2 0
// in: b float 0 1 2 3 4 0 1 2 2 3 4 0 1 2 3 4 4 0 1 2 3 4 0 1 1 2 3 4 0 1 2 3 3 4 0 1 2 3 4 0 0 1
//   2 3 4 0 1 2 2 3 4 0 1 2 3 4 4 0 1 2 3 4 0 1
// out: out float 55 61 52 38 54 55 61 52 68 47 61 55 59 68 47 61 67 54 56 58 85 67 54 56 52 40 58
//   61 69 52 40 58 58 54 60 71 67 58 54 60 50 47 69 46 58 50 47 69 56 61 71 56 56 56 61 71 55 61
//   52 38 54 55 61 52
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]], device const float *b [[buffer(1)]],
                 device float *out [[buffer(2)]]) {
  simdgroup_float8x8 x, y, z = make_filled_simdgroup_matrix<float, 8, 8>(10.0f);
  simdgroup_load(x, a, 8);
  simdgroup_load(y, b, 8);
  simdgroup_multiply_accumulate(z, x, y, z);
  simdgroup_store(z, out, 8);
}
