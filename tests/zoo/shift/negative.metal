// A shift by "position minus five".
// run: --grid 16 --group 16 --arg out=int[16]
#include <metal_stdlib>
using namespace metal;

kernel void powers(device int *out [[buffer(0)]],
                   uint id [[thread_position_in_grid]]) {
  int i = int(id);
#ifdef FIXED
  out[i] = i >= 5 ? 1 << (i - 5) : 0;
#else
  out[i] = 1 << (i - 5); // !shift
#endif
}
