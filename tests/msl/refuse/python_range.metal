#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  for (int j in range(10)) x[j] = 0;
}
// expect: 4: for (int j = 0; j < n; j++)
