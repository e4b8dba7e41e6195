// section: 6.7 SIMD-Group Matrix Functions
// construct: simdgroup_load with transpose
// grid: 32
// group: 32
// in: a float 0 5 3 1 6 4 2 0 3 1 6 4 2 0 5 3 6 4 2 0 5 3 1 6 2 0 5 3 1 6 4 2 5 3 1 6 4 2 0 5 1 6
//   4 2 0 5 3 1 4 2 0 5 3 1 6 4 0 5 3 1 6 4 2 0
// in: b float 0 1 2 3 4 0 1 2 2 3 4 0 1 2 3 4 4 0 1 2 3 4 0 1 1 2 3 4 0 1 2 3 3 4 0 1 2 3 4 0 0 1
//   2 3 4 0 1 2 2 3 4 0 1 2 3 4 4 0 1 2 3 4 0 1
// out: out float 0 3 6 2 5 1 4 0 5 1 4 0 3 6 2 5 3 6 2 5 1 4 0 3 1 4 0 3 6 2 5 1 6 2 5 1 4 0 3 6
//   4 0 3 6 2 5 1 4 2 5 1 4 0 3 6 2 0 3 6 2 5 1 4 0
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]], device const float *b [[buffer(1)]],
                 device float *out [[buffer(2)]]) {
  simdgroup_float8x8 x;
  simdgroup_load(x, a, 8, ulong2(0, 0), true);
  simdgroup_store(x, out, 8);
  if (b[0] < 0) out[0] = 0;
}
