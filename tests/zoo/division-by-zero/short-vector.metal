// One component of a vector is 0.
// run: --grid 8 --group 8 --arg a=short4[8]:iota --arg o=short4[8]
#include <metal_stdlib>
using namespace metal;

kernel void k(device const short4 *a, device short4 *o, uint i [[thread_position_in_grid]]) {
#ifdef FIXED
  o[i] = short4(100) / max(a[i], short4(1));
#else
  o[i] = short4(100) / a[i]; // !division-by-zero
#endif
}
