// Four threads fill a vector, a component each; but two take the same one.
// run: --grid 64 --group 32 --arg x=float[64] --arg y=float4[16]
#include <metal_stdlib>
using namespace metal;

kernel void pack(device const float *x [[buffer(0)]],
                 device float4 *y [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
#ifdef FIXED
  y[i / 4][i % 4] = x[i];
#else
  y[i / 4][i % 3] = x[i]; // !race
#endif
}
