// A pyramid by halves: each step reads the level above, but the texture was made
// with one level.
// run: --grid 8,8 --group 8,8 --arg in=r32float[16,16] --arg out=r32float[8,8] --arg level=1
#include <metal_stdlib>
using namespace metal;

kernel void halve(texture2d<float, access::read> in [[texture(0)]],
                  texture2d<float, access::write> out [[texture(1)]],
                  constant uint &level [[buffer(0)]],
                  uint2 p [[thread_position_in_grid]]) {
#ifdef FIXED
  uint from = min(level, in.get_num_mip_levels()) - 1;
#else
  uint from = level;
#endif
  float sum = 0;
  for (uint k = 0; k < 4; k++)
    sum += in.read(2 * p + uint2(k % 2, k / 2), from).r; // !out-of-bounds
  out.write(float4(sum / 4), p);
}
