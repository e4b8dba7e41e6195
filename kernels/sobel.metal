#include <metal_stdlib>
using namespace metal;

// Edges of an image: how steeply does the brightness change at each pixel? The
// operator of Sobel takes differences across three rows and three columns.
// Beyond the edge the last pixel is repeated.
kernel void sobel(texture2d<float, access::read>  source [[texture(0)]],
                  texture2d<float, access::write> result [[texture(1)]],
                  uint2 at [[thread_position_in_grid]]) {
  int2 last = int2(source.get_width(), source.get_height()) - 1;
  if (int(at.x) > last.x || int(at.y) > last.y) return;
  float v[3][3];
  for (int dy = 0; dy < 3; dy++)
    for (int dx = 0; dx < 3; dx++) {
      int2 where = clamp(int2(at) + int2(dx, dy) - 1, int2(0), last);
      v[dy][dx] = source.read(uint2(where)).x;
    }
  float across = (v[0][2] + 2 * v[1][2] + v[2][2]) -
                 (v[0][0] + 2 * v[1][0] + v[2][0]);
  float down = (v[2][0] + 2 * v[2][1] + v[2][2]) -
               (v[0][0] + 2 * v[0][1] + v[0][2]);
  result.write(float4(sqrt(across * across + down * down), 0, 0, 1), at);
}
