// A flag that many set to one value is harmless; here each brings its own.
// run: --grid 96 --group 32 --arg x=int[96]:0..9 --arg out=int[96] --arg over=int[1]:zero
// also: coverage
#include <metal_stdlib>
using namespace metal;

kernel void clip(device const int *x [[buffer(0)]],
                 device int *out [[buffer(1)]],
                 device int *over [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  int v = min(x[i], 5);
  out[i] = v;
#ifdef FIXED
  if (v != x[i]) *over = 1;
#else
  if (v != x[i]) *over = x[i] - v; // !race
#endif
}
