#include <metal_stdlib>
using namespace metal;
template <typename T> T half_of(T x) {
  return x * 0.5f;
}
kernel void k(device bfloat *x [[buffer(0)]], device half *h [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  h[i] = half_of(h[i]);
  x[i] = half_of(x[i]);
}
// expect: 4: does not become a 'bfloat' by itself
