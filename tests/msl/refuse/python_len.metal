#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  for (uint j = 0; j < len(x); j++) x[j] = 0;
}
// expect: 4: knows no length
