// section: 4.2 Constant Address Space
// construct: constants and pointers to constants in one declaration of a function
// grid: 2
// out: o float 2 1123  2 2123
#include <metal_stdlib>
using namespace metal;
struct Pair { float a, b; };
constant float x[2] = {1, 2};
static float first(constant float *p) { return p[0]; }
static float first(device float *p) { return p[0] + 100; }
template <typename T> static float middle(uint i) {
  constant T *p = x + i, c = 20, zeros[3] = {};
  return p[0] * 1000 + c + first(&c) / 20 * 0 + zeros[i];
}
kernel void k(device float *o [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  constant float *p = x, c = 2, three[2] = {1, 100}, *q = nullptr;
  constant Pair *none = nullptr, pair = {1, 2};
  o[2 * i] = q || none ? 0 : c;
  o[2 * i + 1] = middle<float>(i) + three[1] + p[1] + (first(&c) - 1) * pair.a * (&pair)->b - 1;
}
