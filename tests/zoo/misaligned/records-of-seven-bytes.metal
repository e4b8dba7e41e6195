// Records of seven bytes, read as a struct of eight.
// run: --grid 10 --group 10 --arg b=uchar[128] --arg o=uint[10]
#include <metal_stdlib>
using namespace metal;

struct Rec { uint id; ushort w; ushort h; };
kernel void k(device const uchar *b, device uint *o, uint i [[thread_position_in_grid]]) {
#ifdef FIXED
  device const Rec *r = (device const Rec *)(b + 8 * i);
#else
  device const Rec *r = (device const Rec *)(b + 7 * i);
#endif
  o[i] = r->id + r->w; // !misaligned
}
