// A blur that writes into the texture it reads its neighbours from.
// run: --grid 16,16 --group 8,8 --arg image=r32float[16,16] --arg out=r32float[16,16]
#include <metal_stdlib>
using namespace metal;

kernel void blur(texture2d<float, access::read_write> image [[texture(0)]],
                 texture2d<float, access::write> out [[texture(1)]],
                 uint2 p [[thread_position_in_grid]]) {
  uint last = image.get_width() - 1;
  float left = image.read(uint2(p.x > 0 ? p.x - 1 : 0, p.y)).r; // !race
  float right = image.read(uint2(min(p.x + 1, last), p.y)).r; // !race
  float4 mean = float4(0.5f * (left + right));
#ifdef FIXED
  out.write(mean, p);
#else
  image.write(mean, p); // !race
  out.write(mean, p);
#endif
}
