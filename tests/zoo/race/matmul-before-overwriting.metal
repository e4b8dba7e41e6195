// The next tiles are loaded while neighbours still use the old ones.
// run: --grid 16,16 --group 16,16 --arg x=half[768] --arg w=half[768] --arg y=float[256]
#include <metal_stdlib>
using namespace metal;

#define TILE 16
#define INNER 48

kernel void linear(device const half *x [[buffer(0)]],
                   device const half *w [[buffer(1)]],
                   device float *y [[buffer(2)]],
                   uint2 p [[thread_position_in_grid]],
                   uint2 t [[thread_position_in_threadgroup]],
                   uint2 size [[threads_per_grid]]) {
  threadgroup half xs[TILE * TILE];
  threadgroup half ws[TILE * TILE];
  float acc = 0.0f;
  for (uint tile = 0; tile < INNER / TILE; tile++) {
    xs[t.y * TILE + t.x] = x[p.y * INNER + tile * TILE + t.x]; // !race
    ws[t.y * TILE + t.x] = w[p.x * INNER + tile * TILE + t.y]; // !race
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint k = 0; k < TILE; k++)
      acc += float(xs[t.y * TILE + k]) * float(ws[k * TILE + t.x]); // !race
#ifdef FIXED
    threadgroup_barrier(mem_flags::mem_threadgroup);
#endif
  }
  y[p.y * size.x + p.x] = acc;
}
