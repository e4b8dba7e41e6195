// Records of three bytes hold a half, at odd addresses too.
// run: --grid 16 --group 16 --arg b=uchar[64] --arg o=half[16]
#include <metal_stdlib>
using namespace metal;

kernel void k(device const uchar *b, device half *o, uint i [[thread_position_in_grid]]) {
#ifdef FIXED
  ushort v = b[3 * i + 1] | b[3 * i + 2] << 8;
  o[i] = as_type<half>(v);
#else
  o[i] = *(device const half *)(b + 3 * i + 1); // !misaligned
#endif
}
