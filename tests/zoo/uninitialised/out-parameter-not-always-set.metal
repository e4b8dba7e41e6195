// The function gives its answer through a reference, but not on every way.
// run: --grid 64 --group 32 --arg x=float[64]:-1..1 --arg y=float[64]
#include <metal_stdlib>
using namespace metal;

static bool root(float v, thread float &r) {
#ifdef FIXED
  r = 0;
#endif
  if (v < 0) return false;
  r = sqrt(v);
  return true;
}

kernel void roots(device const float *x [[buffer(0)]],
                  device float *y [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) {
  float r;
  root(x[i], r);
  y[i] = r; // !uninitialised
}
