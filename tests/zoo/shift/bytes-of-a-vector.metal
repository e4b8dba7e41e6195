// All four bytes at once, shifted one too far.
// run: --grid 8 --group 8 --arg x=uint[8] --arg o=uint4[8]
#include <metal_stdlib>
using namespace metal;

kernel void k(device const uint *x, device uint4 *o, uint i [[thread_position_in_grid]]) {
  uint4 v = x[i];
#ifdef FIXED
  v >>= uint4(0, 8, 16, 24);
#else
  v >>= uint4(8, 16, 24, 32); // !shift
#endif
  o[i] = v & 255;
}
