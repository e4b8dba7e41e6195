// A pointer to one of two arrays of the thread: what lies past the one is
// perhaps the other.
// run: --grid 64 --group 32 --arg out=float[64]
#include <metal_stdlib>
using namespace metal;

kernel void pick(device float *out [[buffer(0)]],
                 uint i [[thread_position_in_grid]]) {
  float a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8};
  thread float *p = (i & 1) ? a : b;
#ifdef FIXED
  out[i] = p[i % 4];
#else
  out[i] = p[i % 5]; // !out-of-bounds
#endif
}
