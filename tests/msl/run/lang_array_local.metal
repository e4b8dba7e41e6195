// section: 2.12 Aggregate Types
// construct: a local array with computed indices
// grid: 4
// in: a int 0 1 2 3
// out: out int 9 4 1 0
#include <metal_stdlib>
using namespace metal;

kernel void test(device const int *a [[buffer(0)]],
                 device int *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  int square[4];
  for (int k = 0; k < 4; k++) square[k] = k * k;
  out[i] = square[3 - a[i]];
}
