// section: 4 Address Spaces
// construct: an array of pointers to a thread's own arrays, alike in all threads
// grid: 32
// group: 32
// in: a uint 0..31
// out: a uint = i * 10 + 1 + i * 1000 + 2 + i * 10 + 3
#include <metal_stdlib>
using namespace metal;

kernel void test(device uint *a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  uint tens[4], thousands[4];
  for (uint j = 0; j < 4; j++) {
    tens[j] = i * 10 + j;
    thousands[j] = i * 1000 + j;
  }
  const uint n = simd_min(a[i]) + 4; // the compiler does not know it
  thread uint *which[4];
  for (uint j = 0; j < n; j++) which[j] = j & 1 ? tens : thousands;
  uint sum = 0;
  for (uint j = 1; j < n; j++) sum += which[j][j];
  a[i] = sum;
}
