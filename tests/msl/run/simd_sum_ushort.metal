// section: 6.9.2 SIMD-Group Functions
// construct: simd_sum of ushort
// grid: 64
// group: 32, 64
// in: a ushort 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3
//   3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3
// out: out ushort 96 96 96 96 96 96 96 96 96 96 96 96 96 96 96 96 96 96 96 96 96 96 96 96 96 96
//   96 96 96 96 96 96 96 96 96 96 96 96 96 96 96 96 96 96 96 96 96 96 96 96 96 96 96 96 96 96 96
//   96 96 96 96 96 96 96
#include <metal_stdlib>
using namespace metal;

kernel void test(device const ushort *a [[buffer(0)]],
                 device ushort *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]],
                 uint lane [[thread_index_in_simdgroup]]) {
  out[i] = simd_sum(a[i]);
}
