// Threads beside the picture leave before the barrier.
// run: --grid 20,20 --group 16,16 --arg x=float[400] --arg y=float[400]
#include <metal_stdlib>
using namespace metal;

kernel void k(device const float *x, device float *y, uint2 p [[thread_position_in_grid]],
              uint2 t [[thread_position_in_threadgroup]]) {
  threadgroup float s[16][16];
#ifdef FIXED
  if (p.x < 19 && p.y < 19) s[t.y][t.x] = x[p.y * 20 + p.x];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y[p.y * 20 + p.x] = p.x < 19 && p.y < 19 ? s[t.y][t.x] : 0;
#else
  if (p.x >= 19 || p.y >= 19) { y[p.y * 20 + p.x] = 0; return; }
  s[t.y][t.x] = x[p.y * 20 + p.x];
  threadgroup_barrier(mem_flags::mem_threadgroup); // !divergent-barrier
  y[p.y * 20 + p.x] = s[t.y][t.x];
#endif
}
