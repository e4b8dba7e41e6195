#include <metal_stdlib>
using namespace metal;
kernel void k(device bfloat *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  constexpr float q = 0.5f;
  bfloat weights[2] = {bfloat(q), 1.0f};
  x[i] = weights[i & 1];
}
// expect: 5: does not become a 'bfloat' by itself
