#include <metal_stdlib>
using namespace metal;

kernel void run_length(device const int *x   [[buffer(0)]],
                       device uint      *out [[buffer(1)]],
                       constant uint    &n   [[buffer(2)]]) {
  uint best = 1;
  for (uint i = 0; i < n; i++) {
    uint k = i;
    while (k < n && x[k] == x[i]) k++;
    best = max(best, k - i);
  }
  out[0] = best;
}
