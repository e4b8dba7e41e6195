// A switch without a default leaves the result open.
// run: --grid 32 --group 32 --arg op=uint[32]:iota --arg o=float[32]
#include <metal_stdlib>
using namespace metal;

kernel void k(device const uint *op, device float *o, uint i [[thread_position_in_grid]]) {
  float r;
  switch (op[i] % 4) {
    case 0: r = 1; break;
    case 1: r = 2; break;
    case 2: r = 3; break;
#ifdef FIXED
    default: r = 4; break;
#endif
  }
  o[i] = r; // !uninitialised
}
