#include <metal_stdlib>
using namespace metal;
template <typename T> T one() {
  return 1.0f;
}
kernel void k(device bfloat *x [[buffer(0)]], device half *h [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  h[i] = one<half>();
  x[i] = one<bfloat>();
}
// expect: 4: does not become a 'bfloat' by itself
