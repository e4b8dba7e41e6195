// Three of four components are set. The library's functions take all four, which
// does no harm as long as the fourth of the result is not used.
// run: --grid 32 --group 32 --arg x=float[96] --arg y=float4[32]
#include <metal_stdlib>
using namespace metal;

kernel void wrap(device const float *x [[buffer(0)]],
                 device float4 *y [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  float4 p;
  p.xzw = float3(x[3 * i], x[3 * i + 1], x[3 * i + 2]);
  float4 q = clamp(fract(p * 8), 0.25f, 0.75f); // !uninitialised
#ifdef FIXED
  y[i] = float4(q.x, 0, q.z, q.w);
#else
  y[i] = q;
#endif
}
