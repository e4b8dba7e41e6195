// The fifth byte of a word that has four.
// run: --grid 40 --group 32 --arg a=uchar[40] --arg o=uint[40]
#include <metal_stdlib>
using namespace metal;

kernel void k(device const uchar *a, device uint *o, uint i [[thread_position_in_grid]]) {
#ifdef FIXED
  o[i] = a[i] << (8 * (i % 4));
#else
  o[i] = a[i] << (8 * (i % 5)); // !shift
#endif
}
