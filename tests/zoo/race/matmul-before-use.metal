// Tiles are used before the neighbours have loaded their part.
// run: --grid 32,32 --group 8,8 --arg a=float[1024] --arg b=float[1024] --arg c=float[1024]
#include <metal_stdlib>
using namespace metal;

constant uint N = 32, T = 8;

kernel void matmul(device const float *a [[buffer(0)]],
                   device const float *b [[buffer(1)]],
                   device float *c [[buffer(2)]],
                   uint2 p [[thread_position_in_grid]],
                   uint2 t [[thread_position_in_threadgroup]]) {
  threadgroup float as[T][T], bs[T][T];
  float sum = 0;
  for (uint k0 = 0; k0 < N; k0 += T) {
    as[t.y][t.x] = a[p.y * N + k0 + t.x]; // !race
    bs[t.y][t.x] = b[(k0 + t.y) * N + p.x]; // !race
#ifdef FIXED
    threadgroup_barrier(mem_flags::mem_threadgroup);
#endif
    for (uint k = 0; k < T; k++)
      sum += as[t.y][k] * bs[k][t.x]; // !race
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  c[p.y * N + p.x] = sum;
}
