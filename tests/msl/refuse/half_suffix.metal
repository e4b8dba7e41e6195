#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  half h = 1.0hf; x[i] = h;
}
// expect: 4: Write 1.0h
