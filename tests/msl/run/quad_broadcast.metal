// section: 6.9.3 Quad-Group Functions
// construct: quad_broadcast
// grid: 64
// group: 32, 64
// in: a float 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12
//   6 13 7 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12 6 13
// out: out float 2 2 2 2 4 4 4 4 6 6 6 6 8 8 8 8 10 10 10 10 12 12 12 12 1 1 1 1 3 3 3 3 5 5 5 5
//   7 7 7 7 9 9 9 9 11 11 11 11 13 13 13 13 2 2 2 2 4 4 4 4 6 6 6 6
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]],
                 uint lane [[thread_index_in_simdgroup]]) {
  out[i] = quad_broadcast(a[i], 2);
}
