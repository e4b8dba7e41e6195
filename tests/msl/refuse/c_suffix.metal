#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = sqrtf(x[i]) + fabsf(x[i]) + floorf(x[i]) + tanhf(x[i]);
}
// expect: 4: no f at the end: fabs
