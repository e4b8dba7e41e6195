// A difference of neighbours, which the first column and the last row lack.
// run: --grid 30,20 --group 10,4 --arg in=r32float[30,20] --arg out=r32float[30,20]
#include <metal_stdlib>
using namespace metal;

static float at(texture2d<float, access::read> t, int x, int y) {
#ifdef FIXED
  x = clamp(x, 0, int(t.get_width()) - 1);
  y = clamp(y, 0, int(t.get_height()) - 1);
#endif
  return t.read(uint2(x, y)).r; // !out-of-bounds
}

kernel void slope(texture2d<float, access::read> in [[texture(0)]],
                  texture2d<float, access::write> out [[texture(1)]],
                  uint2 p [[thread_position_in_grid]]) {
  int x = int(p.x), y = int(p.y);
  float dx = at(in, x, y) - at(in, x - 1, y);
  float dy = at(in, x, y + 1) - at(in, x, y);
  out.write(float4(dx + dy), p);
}
