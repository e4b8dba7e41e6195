// section: 5.2 Function Arguments and Variables
// construct: references and pointers to arrays as a kernel's parameters
// grid: 4
// in: a float 1 2 3 4
// in: rows float 10 20 30 40 50 60 70 80
// out: out float 11 32 53 74
#include <metal_stdlib>
using namespace metal;

kernel void test(constant float (&a)[4] [[buffer(0)]], device const float (*rows)[2] [[buffer(1)]],
                 device float *out [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  out[i] = a[i] + rows[i][0];
}
