// A stack of eight holds nine.
// run: --grid 8 --group 8 --arg x=uint[8]:iota --arg o=uint[8]
#include <metal_stdlib>
using namespace metal;

kernel void k(device const uint *x, device uint *o, uint i [[thread_position_in_grid]]) {
  uint stack[8], n = 0, sum = 0;
#ifdef FIXED
  for (uint j = 0; j < x[i]; j++) stack[n++] = j;
  while (n > 0) sum += stack[--n];
#else
  for (uint j = 0; j <= x[i] + 1; j++) stack[n++] = j; // !out-of-bounds
  while (n > 0) sum += stack[--n]; // !out-of-bounds
#endif
  o[i] = sum;
}
