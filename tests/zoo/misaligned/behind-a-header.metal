// A file's pixels begin behind a header of 6 bytes.
// run: --grid 16 --group 16 --arg file=uchar[70] --arg out=uint[16]
#include <metal_stdlib>
using namespace metal;

kernel void pixels(device const uchar *file [[buffer(0)]],
                   device uint *out [[buffer(1)]],
                   uint i [[thread_position_in_grid]]) {
#ifdef FIXED
  device const uchar *b = file + 6 + 4 * i;
  out[i] = uint(b[0]) | uint(b[1]) << 8 | uint(b[2]) << 16 | uint(b[3]) << 24;
#else
  device const uint *words = (device const uint *)(file + 6);
  out[i] = words[i]; // !misaligned
#endif
}
