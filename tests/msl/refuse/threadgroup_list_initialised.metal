#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  threadgroup float4 t = {1, 2, 3, 4}; x[i] = t.x;
}
// expect: 4: cannot be initialized
