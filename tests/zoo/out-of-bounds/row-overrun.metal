// The column counts to the width of the image, and runs on into the next row.
// run: --grid 16,16 --group 16,16 --arg x=float[16,20] --arg y=float[16,16]
#include <metal_stdlib>
using namespace metal;

kernel void rows(device const float *x [[buffer(0)]],
                 device float *y [[buffer(1)]],
                 uint2 p [[thread_position_in_threadgroup]]) {
#ifdef FIXED
  constexpr uint width = 16;
#else
  constexpr uint width = 20;
#endif
  threadgroup float tile[16][16];
  tile[p.y][p.x] = x[p.y * 20 + p.x];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float sum = 0;
  if (p.y < 12)
    for (uint k = 0; k < width; k++) sum += tile[p.y][k]; // !out-of-bounds
  y[p.y * 16 + p.x] = sum;
}
