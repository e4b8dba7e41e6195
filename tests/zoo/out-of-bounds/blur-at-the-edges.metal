// A 3 x 3 window at the edges of the picture, as halves.
// run: --grid 20,13 --group 8,8 --arg src=half[260] --arg dst=half[260] --arg dim=20,13
#include <metal_stdlib>
using namespace metal;

kernel void k(device const half *src, device half *dst, constant uint2 &dim, uint2 p [[thread_position_in_grid]]) {
  if (any(p >= dim)) return;
  half s = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++) {
#ifdef FIXED
      int x = clamp(int(p.x) + dx, 0, int(dim.x) - 1), y = clamp(int(p.y) + dy, 0, int(dim.y) - 1);
#else
      int x = int(p.x) + dx, y = int(p.y) + dy;
#endif
      s += src[y * int(dim.x) + x]; // !out-of-bounds
    }
  dst[p.y * dim.x + p.x] = s / 9;
}
