// The pairs start behind one number, and a uint2 does not.
// run: --grid 31 --group 32 --arg a=uint[64] --arg o=uint[31]
#include <metal_stdlib>
using namespace metal;

kernel void k(device const uint *a, device uint *o, uint i [[thread_position_in_grid]]) {
#ifdef FIXED
  uint2 v = *(device const packed_uint2 *)(a + 2 * i + 1);
#else
  uint2 v = *(device const uint2 *)(a + 2 * i + 1); // !misaligned
#endif
  o[i] = v.x + v.y;
}
