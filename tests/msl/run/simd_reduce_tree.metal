// section: 6.9.2 SIMD-Group Functions
// construct: a reduction by shuffles
// grid: 64
// group: 32, 64
// in: a float 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12
//   6 13 7 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12 6 13
// out: out float 215 215 215 215 215 215 215 215 215 215 215 215 215 215 215 215 215 215 215 215
//   215 215 215 215 215 215 215 215 215 215 215 215 233 233 233 233 233 233 233 233 233 233 233
//   233 233 233 233 233 233 233 233 233 233 233 233 233 233 233 233 233 233 233 233 233
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]],
                 uint lane [[thread_index_in_simdgroup]]) {
  float x = a[i];
  for (ushort d = 16; d > 0; d /= 2) x += simd_shuffle_xor(x, d);
  out[i] = x;
}
