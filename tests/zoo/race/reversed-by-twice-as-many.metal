// Every pair is swapped by two threads.
// run: --grid 100 --group 50 --arg x=float[100]
#include <metal_stdlib>
using namespace metal;

kernel void k(device float *x, uint i [[thread_position_in_grid]]) {
#ifdef FIXED
  if (i >= 50) return;
#endif
  float a = x[i], b = x[99 - i]; // !race
  x[i] = b; // !race
  x[99 - i] = a; // !race
}
