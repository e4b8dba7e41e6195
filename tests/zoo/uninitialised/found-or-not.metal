// A flag is set where something is found, and read in any case.
// run: --grid 32 --group 32 --arg a=int[320]:iota --arg o=int[32]
#include <metal_stdlib>
using namespace metal;

kernel void k(device const int *a, device int *o, uint i [[thread_position_in_grid]]) {
#ifdef FIXED
  bool found = false;
  int where = -1;
#else
  bool found;
  int where;
#endif
  for (int j = 0; j < 10; j++) if (a[10 * i + j] == 77) { found = true; where = j; }
  o[i] = found ? where : -1; // !uninitialised
}
