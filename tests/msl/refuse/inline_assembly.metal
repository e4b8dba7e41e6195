#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  asm("nop"); x[i] = 1;
}
// expect: 4: 'asm'
