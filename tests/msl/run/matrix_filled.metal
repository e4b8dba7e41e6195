// section: 6.7 SIMD-Group Matrix Functions
// construct: make_filled_simdgroup_matrix and simdgroup_store
// grid: 32
// group: 32
// out: out float 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5
//   2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5
//   2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5
#include <metal_stdlib>
using namespace metal;

kernel void test(device float *out [[buffer(0)]]) {
  simdgroup_float8x8 z = make_filled_simdgroup_matrix<float, 8, 8>(2.5f);
  simdgroup_store(z, out, 8);
}
