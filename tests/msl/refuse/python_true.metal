#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  bool b = True; x[i] = b;
}
// expect: 4: Write true
