#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  vec<float> v; x[i] = v.x;
}
// expect: 4: arguments for vec<T, N>
