// section: 6.7 SIMD-Group Matrix Functions
// construct: thread_elements: two neighbours of a row, laid out as on Apple GPUs
// grid: 32
// group: 32
// in: a float 0 5 3 1 6 4 2 0 3 1 6 4 2 0 5 3 6 4 2 0 5 3 1 6 2 0 5 3 1 6 4 2 5 3 1 6 4 2 0 5 1 6
//   4 2 0 5 3 1 4 2 0 5 3 1 6 4 0 5 3 1 6 4 2 0
// out: out float 0 5 3 1 3 1 6 4 6 4 2 0 2 0 5 3 6 4 2 0 2 0 5 3 5 3 1 6 1 6 4 2 5 3 1 6 1 6 4 2
//   4 2 0 5 0 5 3 1 4 2 0 5 0 5 3 1 3 1 6 4 6 4 2 0
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]], device float *out [[buffer(1)]],
                 uint lane [[thread_index_in_simdgroup]]) {
  simdgroup_float8x8 x;
  simdgroup_load(x, a, 8);
  out[lane * 2] = x.thread_elements()[0];
  out[lane * 2 + 1] = x.thread_elements()[1];
}
