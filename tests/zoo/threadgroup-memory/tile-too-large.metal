// 100 × 100 floats are 40,000 bytes, and a group has 32,768.
// run: --grid 32,32 --group 32,32 --arg x=float[10000] --arg y=float[1024]
#include <metal_stdlib>
using namespace metal;

#ifdef FIXED
#define SIDE 90
#else
#define SIDE 100
#endif

kernel void cached(device const float *x [[buffer(0)]], // !threadgroup-memory
                   device float *y [[buffer(1)]],
                   uint2 t [[thread_position_in_threadgroup]]) {
  threadgroup float tile[SIDE][SIDE];
  for (uint r = t.y; r < SIDE; r += 32)
    for (uint c = t.x; c < SIDE; c += 32) tile[r][c] = x[r * SIDE + c];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y[t.y * 32 + t.x] = tile[t.x][t.y];
}
