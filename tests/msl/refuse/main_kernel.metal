#include <metal_stdlib>
using namespace metal;
kernel void main(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = 1;
}
// expect: 3: cannot be named 'main'
