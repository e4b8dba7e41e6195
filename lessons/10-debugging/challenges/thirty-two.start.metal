#include <metal_stdlib>
using namespace metal;

kernel void find(device const int *x  [[buffer(0)]],
                 device const int *q  [[buffer(1)]],
                 device uint *place   [[buffer(2)]],
                 constant uint &n     [[buffer(3)]],
                 uint i    [[threadgroup_position_in_grid]],
                 uint lane [[thread_index_in_simdgroup]]) {
  uint low = 0, high = n; // the answer lies between, both included
  int wanted = q[i];
  while (low < high) {
    uint middle = (low + high) / 2;
    if (x[middle] < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  if (lane == 0) place[i] = low;
}
