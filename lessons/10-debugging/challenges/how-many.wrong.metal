#include <metal_stdlib>
using namespace metal;

kernel void count_equal(device const int *x  [[buffer(0)]],
                        device const int *q  [[buffer(1)]],
                        device uint *count   [[buffer(2)]],
                        constant uint &n     [[buffer(3)]],
                        uint i [[thread_position_in_grid]]) {
  int wanted = q[i];
  uint low = 0, high = n;
  while (low < high) {
    uint middle = (low + high) / 2;
    if (x[middle] < wanted) low = middle + 1;
    else high = middle;
  }
  count[i] = low < n && x[low] == wanted; // one of them
}
