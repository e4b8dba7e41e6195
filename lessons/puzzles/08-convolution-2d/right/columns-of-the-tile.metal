#include <metal_stdlib>
using namespace metal;

kernel void convolve(device const float *x [[buffer(0)]],
                     constant float     *w [[buffer(1)]],
                     device float       *y [[buffer(2)]],
                     constant uint      &rows    [[buffer(3)]],
                     constant uint      &columns [[buffer(4)]],
                     uint2 p [[thread_position_in_grid]],
                     uint2 t [[thread_position_in_threadgroup]],
                     uint2 g [[threadgroup_position_in_grid]]) {
  threadgroup float tile[100];
  uint me = t.y * 8 + t.x;
  for (uint i = me; i < 100; i += 64) {
    uint r = g.y * 8 + i / 10, c = g.x * 8 + i % 10;  // one too large
    tile[i] = r > 0 && r <= rows && c > 0 && c <= columns
                  ? x[(r - 1) * columns + c - 1]
                  : 0;
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (p.x < columns && p.y < rows) {
    float sum = 0;
    for (uint m = 0; m < 9; m++)
      sum += tile[(t.y + m / 3) * 10 + t.x + m % 3] * w[m];
    y[p.y * columns + p.x] = sum;
  }
}
