// At the edge the tile is not filled, and the product reads all of it.
// run: --groups 3,3 --group 8,8 --arg a=float[400] --arg b=float[400] --arg c=float[400] --arg n=20
#include <metal_stdlib>
using namespace metal;

constant uint T = 8;

kernel void matmul(device const float *a [[buffer(0)]],
                   device const float *b [[buffer(1)]],
                   device float *c [[buffer(2)]],
                   constant uint &n [[buffer(3)]],
                   uint2 p [[thread_position_in_grid]],
                   uint2 t [[thread_position_in_threadgroup]]) {
  threadgroup float as[T][T], bs[T][T];
  float sum = 0;
  for (uint k0 = 0; k0 < n; k0 += T) {
    uint ka = k0 + t.x, kb = k0 + t.y;
#ifdef FIXED
    as[t.y][t.x] = p.y < n && ka < n ? a[p.y * n + ka] : 0;
    bs[t.y][t.x] = p.x < n && kb < n ? b[kb * n + p.x] : 0;
#else
    if (p.y < n && ka < n) as[t.y][t.x] = a[p.y * n + ka];
    if (p.x < n && kb < n) bs[t.y][t.x] = b[kb * n + p.x];
#endif
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint k = 0; k < T; k++)
      sum += as[t.y][k] * bs[k][t.x]; // !uninitialised
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (p.x < n && p.y < n) c[p.y * n + p.x] = sum;
}
