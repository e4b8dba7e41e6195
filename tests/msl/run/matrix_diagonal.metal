// section: 6.7 SIMD-Group Matrix Functions
// construct: a diagonal matrix times another
// grid: 32
// group: 32
// in: a float 0 5 3 1 6 4 2 0 3 1 6 4 2 0 5 3 6 4 2 0 5 3 1 6 2 0 5 3 1 6 4 2 5 3 1 6 4 2 0 5 1 6
//   4 2 0 5 3 1 4 2 0 5 3 1 6 4 0 5 3 1 6 4 2 0
// in: b float 0 1 2 3 4 0 1 2 2 3 4 0 1 2 3 4 4 0 1 2 3 4 0 1 1 2 3 4 0 1 2 3 3 4 0 1 2 3 4 0 0 1
//   2 3 4 0 1 2 2 3 4 0 1 2 3 4 4 0 1 2 3 4 0 1
// out: out float 0 3 6 9 12 0 3 6 6 9 12 0 3 6 9 12 12 0 3 6 9 12 0 3 3 6 9 12 0 3 6 9 9 12 0 3 6
//   9 12 0 0 3 6 9 12 0 3 6 6 9 12 0 3 6 9 12 12 0 3 6 9 12 0 3
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]], device const float *b [[buffer(1)]],
                 device float *out [[buffer(2)]]) {
  simdgroup_float8x8 d(3.0f), y;
  simdgroup_load(y, b, 8);
  simdgroup_float8x8 z = d * y;
  simdgroup_store(z, out, 8);
  if (a[0] < 0) out[0] = 0;
}
