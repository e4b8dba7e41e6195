#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  int t = blockIdx.x * blockDim.x + threadIdx.x; x[t] = 1;
}
// expect: 4: blockIdx
