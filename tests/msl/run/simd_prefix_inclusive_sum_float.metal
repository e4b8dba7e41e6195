// section: 6.9.2 SIMD-Group Functions
// construct: simd_prefix_inclusive_sum of float
// grid: 64
// group: 32, 64
// in: a float 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12
//   6 13 7 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12 6 13
// out: out float 1 9 11 20 23 33 37 48 53 65 71 84 91 92 100 102 111 114 124 128 139 144 156 162
//   175 182 183 191 193 202 205 215 4 15 20 32 38 51 58 59 67 69 78 81 91 95 106 111 123 129 142
//   149 150 158 160 169 172 182 186 197 202 214 220 233
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]],
                 uint lane [[thread_index_in_simdgroup]]) {
  out[i] = simd_prefix_inclusive_sum(a[i]);
}
