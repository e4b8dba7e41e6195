#include <metal_stdlib>
using namespace metal;

kernel void count_equal(device const int *x  [[buffer(0)]],
                        device const int *q  [[buffer(1)]],
                        device uint *count   [[buffer(2)]],
                        constant uint &n     [[buffer(3)]],
                        uint i [[thread_position_in_grid]]) {
  int wanted = q[i];
  uint found = 0;
  for (uint k = 0; k < n; k++)
    if (x[k] == wanted) found++;
  count[i] = found;
}
