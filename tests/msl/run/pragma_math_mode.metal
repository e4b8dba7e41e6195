// section: 1.6.3 Math Intrinsics Compiler Options
// construct: #pragma METAL fp math_mode: a block, and the rest of a file
// grid: 2
// in: x float 1 3
// out: y float 0 0
// out: z float 0 0
#include <metal_stdlib>
using namespace metal;
// fast math may cancel, safe math must round: 1e9 + 3 is 1e9
float in_block(float a, float b) {
#pragma METAL fp math_mode(safe)
  return (a + b) - b;
}
#pragma METAL fp math_mode( safe )
float rest(float a, float b) { return (a + b) - b; }
kernel void f(device const float *x, device float *y, device float *z, uint i [[thread_position_in_grid]]) {
  float big = 1e9f + x[i] * 0;
  y[i] = in_block(x[i], big);
  z[i] = rest(x[i], big);
}
