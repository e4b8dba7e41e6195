#include <metal_stdlib>
using namespace metal;

kernel void transpose(device const float *a [[buffer(0)]],
                      device float       *b [[buffer(1)]],
                      constant uint      &n [[buffer(2)]],
                      uint2 t [[thread_position_in_threadgroup]],
                      uint2 g [[threadgroup_position_in_grid]]) {
  threadgroup float tile[32][32];
  for (uint r = t.y; r < 32; r += 8)
    tile[r][t.x ^ r] = a[(g.y * 32 + r) * n + g.x * 32 + t.x];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint r = t.y; r < 32; r += 8)
    b[(g.x * 32 + r) * n + g.y * 32 + t.x] = tile[t.x][r ^ t.x];
}
