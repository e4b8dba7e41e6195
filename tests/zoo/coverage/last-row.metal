// The grid has a row too few.
// run: --grid 20,14 --group 4,4 --arg in=uchar[300] --arg out=uchar[300]
// fixed: --grid 20,15 --group 4,4 --arg in=uchar[300] --arg out=uchar[300]
// expect: coverage
#include <metal_stdlib>
using namespace metal;

kernel void invert(device const uchar *in [[buffer(0)]],
                   device uchar *out [[buffer(1)]],
                   uint2 p [[thread_position_in_grid]]) {
  uint at = p.y * 20 + p.x;
  out[at] = 255 - in[at];
}
