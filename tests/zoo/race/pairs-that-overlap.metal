// Pairs that start at every element share one with the next pair.
// run: --grid 64 --group 64 --arg x=half[65]
// fixed: --grid 64 --group 64 --arg x=half[128]
#include <metal_stdlib>
using namespace metal;

kernel void k(device half *x, uint i [[thread_position_in_grid]]) {
#ifdef FIXED
  device packed_half2 *p = (device packed_half2 *)(x + 2 * i);
#else
  device packed_half2 *p = (device packed_half2 *)(x + i);
#endif
  half2 v = *p; // !race
  *p = v.yx; // !race
}
