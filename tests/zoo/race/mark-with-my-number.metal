// Marking with a number of one's own: the last one wins.
// run: --grid 128 --group 32 --arg seen=uchar[16]:zero --arg x=uint[128]:iota
#include <metal_stdlib>
using namespace metal;

kernel void k(device uchar *seen, device const uint *x, uint i [[thread_position_in_grid]]) {
#ifdef FIXED
  seen[x[i] % 16] = 1;
#else
  seen[x[i] % 16] = uchar(i); // !race
#endif
}
