// A 3 × 3 window at the border of the image: rows and columns that are not there.
// run: --grid 24,24 --group 8,8 --arg image=float[576] --arg out=float[576] --arg w=24 --arg h=24
#include <metal_stdlib>
using namespace metal;

kernel void sharpen(device const float *image [[buffer(0)]],
                    device float *out [[buffer(1)]],
                    constant int &w [[buffer(2)]],
                    constant int &h [[buffer(3)]],
                    uint2 p [[thread_position_in_grid]]) {
  float sum = 0;
  for (int dy = -1; dy <= 1; dy++) {
    for (int dx = -1; dx <= 1; dx++) {
      int x = int(p.x) + dx, y = int(p.y) + dy;
#ifdef FIXED
      x = clamp(x, 0, w - 1);
      y = clamp(y, 0, h - 1);
#endif
      sum -= image[y * w + x]; // !out-of-bounds
    }
  }
  out[p.y * w + p.x] = sum + 10 * image[p.y * w + p.x];
}
