#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  atomicAdd(&x[0], 1.0f);
}
// expect: 4: atomicAdd
