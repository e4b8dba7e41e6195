// section: 6.9.2 SIMD-Group Functions
// construct: simd_sum of float4 goes by component
// grid: 32
// group: 32, 64
// in: a float4 1 2 3 4 1 2 3 4 1 2 3 4 1 2 3 4 1 2 3 4 1 2 3 4 1 2 3 4 1 2 3 4 1 2 3 4 1 2 3 4 1
//   2 3 4 1 2 3 4 1 2 3 4 1 2 3 4 1 2 3 4 1 2 3 4 1 2 3 4 1 2 3 4 1 2 3 4 1 2 3 4 1 2 3 4 1 2 3 4
//   1 2 3 4 1 2 3 4 1 2 3 4 1 2 3 4 1 2 3 4 1 2 3 4 1 2 3 4 1 2 3 4 1 2 3 4 1 2 3 4
// out: out float4 32 64 96 128 32 64 96 128 32 64 96 128 32 64 96 128 32 64 96 128 32 64 96 128
//   32 64 96 128 32 64 96 128 32 64 96 128 32 64 96 128 32 64 96 128 32 64 96 128 32 64 96 128 32
//   64 96 128 32 64 96 128 32 64 96 128 32 64 96 128 32 64 96 128 32 64 96 128 32 64 96 128 32 64
//   96 128 32 64 96 128 32 64 96 128 32 64 96 128 32 64 96 128 32 64 96 128 32 64 96 128 32 64 96
//   128 32 64 96 128 32 64 96 128 32 64 96 128 32 64 96 128
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float4 *a [[buffer(0)]],
                 device float4 *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]],
                 uint lane [[thread_index_in_simdgroup]]) {
  out[i] = simd_sum(a[i]);
}
