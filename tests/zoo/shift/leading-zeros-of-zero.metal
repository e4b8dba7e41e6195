// clz of 0 is 32, and 31 - 32 is a shift by -1.
// run: --grid 20 --group 20 --arg out=int[20]
#include <metal_stdlib>
using namespace metal;

kernel void round_down(device int *out [[buffer(0)]],
                       uint i [[thread_position_in_grid]]) {
  int top = 31 - int(clz(i));
#ifdef FIXED
  out[i] = i == 0 ? 0 : 1 << top;
#else
  out[i] = 1 << top; // !shift
#endif
}
