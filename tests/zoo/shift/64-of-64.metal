// 64-bit Morton codes: the last step shifts by the whole width.
// run: --grid 9 --group 9 --arg out=ulong[9]
#include <metal_stdlib>
using namespace metal;

kernel void tops(device ulong *out [[buffer(0)]],
                 uint i [[thread_position_in_grid]]) {
#ifdef FIXED
  out[i] = i < 8 ? ~0ul << (8 * i) : 0;
#else
  out[i] = ~0ul << (8 * i); // !shift
#endif
}
