#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  k<<<1, 2>>>(x);
}
// expect: 4: kernels do not launch kernels
