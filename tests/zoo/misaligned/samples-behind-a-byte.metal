// 16-bit sound behind one byte of format.
// run: --grid 30 --group 30 --arg bytes=uchar[61] --arg out=float[30]
#include <metal_stdlib>
using namespace metal;

kernel void decode(device const uchar *bytes [[buffer(0)]],
                   device float *out [[buffer(1)]],
                   uint i [[thread_position_in_grid]]) {
#ifdef FIXED
  short s = short(ushort(bytes[1 + 2 * i]) | ushort(bytes[2 + 2 * i]) << 8);
#else
  device const short *sound = (device const short *)(bytes + 1);
  short s = sound[i]; // !misaligned
#endif
  out[i] = float(s) / 32768.0f;
}
