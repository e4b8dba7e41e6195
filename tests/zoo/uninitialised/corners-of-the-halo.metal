// A tile with a border: its four sides are loaded, its corners are not.
// run: --grid 32,32 --group 16,16 --arg in=float[1024] --arg out=float[1024]
#include <metal_stdlib>
using namespace metal;

static float at(device const float *in, int x, int y) {
  return in[clamp(y, 0, 31) * 32 + clamp(x, 0, 31)];
}

kernel void blur(device const float *in [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint2 p [[thread_position_in_grid]],
                 uint2 l [[thread_position_in_threadgroup]]) {
  threadgroup float tile[18][18];
  int x = int(p.x), y = int(p.y);
  int side = l.x == 0 ? -1 : l.x == 15 ? 1 : 0;
  int end = l.y == 0 ? -1 : l.y == 15 ? 1 : 0;
  tile[l.y + 1][l.x + 1] = at(in, x, y);
  if (side) tile[l.y + 1][l.x + 1 + side] = at(in, x + side, y);
  if (end) tile[l.y + 1 + end][l.x + 1] = at(in, x, y + end);
#ifdef FIXED
  if (side && end)
    tile[l.y + 1 + end][l.x + 1 + side] = at(in, x + side, y + end);
#endif
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float s = 0;
  for (uint dy = 0; dy < 3; dy++)
    for (uint dx = 0; dx < 3; dx++)
      s += tile[l.y + dy][l.x + dx]; // !uninitialised
  out[p.y * 32 + p.x] = s / 9;
}
