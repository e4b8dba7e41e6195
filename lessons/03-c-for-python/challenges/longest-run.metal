#include <metal_stdlib>
using namespace metal;

kernel void run_length(device const int *x   [[buffer(0)]],
                       device uint      *out [[buffer(1)]],
                       constant uint    &n   [[buffer(2)]]) {
  int before = x[0];
  uint now = 1, best = 1;
  for (uint i = 1; i < n; i++) {
    int v = x[i];
    now = v == before ? now + 1 : 1;
    best = max(best, now);
    before = v;
  }
  out[0] = best;
}
