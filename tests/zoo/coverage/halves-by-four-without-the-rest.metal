// Four halves at a time, and nobody does the last three.
// run: --grid 16 --group 16 --arg a=half[67] --arg o=half[67]
#include <metal_stdlib>
using namespace metal;

kernel void k(device const half *a, device half *o, uint i [[thread_position_in_grid]]) {
  ((device half4 *)o)[i] = ((device const half4 *)a)[i] * 2; // !coverage
#ifdef FIXED
  if (i < 3) o[64 + i] = a[64 + i] * 2;
#endif
}
