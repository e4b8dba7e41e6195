#include <metal_stdlib>
using namespace metal;

struct Summary { int sum, least; uint odd; };

static Summary with(Summary s, int v) {
  s.sum += v;
  s.least = min(s.least, v);
  s.odd += abs(v) % 2;
  return s;
}

kernel void summary(device const int *x   [[buffer(0)]],
                    device float     *out [[buffer(1)]],
                    constant uint    &n   [[buffer(2)]]) {
  Summary s = { 0, INT_MAX, 0 };
  uint i = 0;
  while (i < n) s = with(s, x[i++]);
  out[0] = s.sum / float(n);
  out[1] = s.least;
  out[2] = s.odd;
}
