// Records of an int and a long, written without the padding between them.
// run: --grid 8 --group 8 --arg records=uint[24] --arg out=ulong[8]
#include <metal_stdlib>
using namespace metal;

kernel void stamps(device const uint *records [[buffer(0)]],
                   device ulong *out [[buffer(1)]],
                   uint i [[thread_position_in_grid]]) {
  device const uint *r = records + 3 * i;
#ifdef FIXED
  out[i] = ulong(r[1]) | ulong(r[2]) << 32;
#else
  out[i] = *(device const ulong *)(r + 1); // !misaligned
#endif
}
