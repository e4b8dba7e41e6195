// 1 is an int: it has no bit 40, even if the result is stored in a ulong.
// run: --grid 64 --group 64 --arg out=ulong[64]
#include <metal_stdlib>
using namespace metal;

kernel void bits(device ulong *out [[buffer(0)]],
                 uint i [[thread_position_in_grid]]) {
#ifdef FIXED
  out[i] = 1ul << i;
#else
  out[i] = 1 << i; // !shift
#endif
}
