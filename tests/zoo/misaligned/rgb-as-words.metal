// Three bytes a pixel, read as a word.
// run: --grid 20 --group 20 --arg rgb=uchar[64] --arg out=uint[20]
#include <metal_stdlib>
using namespace metal;

kernel void red(device const uchar *rgb [[buffer(0)]],
                device uint *out [[buffer(1)]],
                uint i [[thread_position_in_grid]]) {
#ifdef FIXED
  out[i] = rgb[3 * i];
#else
  out[i] = *(device const uint *)(rgb + 3 * i) & 255u; // !misaligned
#endif
}
