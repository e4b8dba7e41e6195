// section: 6.9.2 SIMD-Group Functions
// construct: simd_prefix_exclusive_product
// grid: 64
// group: 32, 64
// in: a int 1 2 1 2 1 1 1 1 1 2 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 2 1 2 1 1 1 1 1 2 1
//   1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
// out: out int 1 1 2 2 4 4 4 4 4 4 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 1 1 2 2 4 4 4 4 4
//   4 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8
#include <metal_stdlib>
using namespace metal;

kernel void test(device const int *a [[buffer(0)]],
                 device int *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]],
                 uint lane [[thread_index_in_simdgroup]]) {
  out[i] = simd_prefix_exclusive_product(a[i]);
}
