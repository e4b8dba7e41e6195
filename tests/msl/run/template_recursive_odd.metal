// section: 1.5.4 Restrictions
// construct: functions that call themselves as their last act, for the negative of the result, or where that cannot come about
// grid: 6
// in: x float -9 -4 -0.25 0 4 16
// out: o float -3 -2 -0.5 0 2 4
// out: g uint 1 1 1 1 5 5
// out: h half -3 -2 -0.5 0 2 4
// out: r float 10 5 1.25 1 5 32
#include <metal_stdlib>
using namespace metal;
template <typename T> inline float odd_root(T x) {
  if (x < T(0)) {
    return -odd_root(-x);
  }
  constexpr float parts[] = {0.25f, 0.5f, 0.25f};
  float y = 0;
  for (int k = 0; k < 3; k++) y += parts[k] * sqrt(float(x));
  if (y > 100.0f) return -1.0f;
  return y;
}
static uint divisor(uint a, uint b) { return b == 0 ? a : divisor(b, a % b); }
static half halves(half x) { return x < 0 ? -halves(-x) : sqrt(x); }
// each calls the other, and no x takes both ways
static float large(float x);
static float small(float x) { return x >= 12.0f ? large(x) + 1.0f : x + 1.0f; }
static float large(float x) { return x < 12.0f ? small(x) : 2.0f * x; }
kernel void k(device const float *x [[buffer(0)]], device float *o [[buffer(1)]], device uint *g [[buffer(2)]],
              device half *h [[buffer(3)]], device float *r [[buffer(4)]], uint i [[thread_position_in_grid]]) {
  o[i] = odd_root(x[i]);
  g[i] = x[i] < 1 ? 1 : divisor(25, uint(x[i]) * 5);
  h[i] = halves(half(x[i]));
  r[i] = large(abs(x[i]));
}
