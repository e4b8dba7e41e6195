#include <metal_stdlib>
using namespace metal;

kernel void histogram(device const uchar *x    [[buffer(0)]],
                      device atomic_uint *bins [[buffer(1)]],
                      constant uint      &n    [[buffer(2)]],
                      uint i [[thread_position_in_grid]],
                      uint t [[thread_position_in_threadgroup]]) {
  if (t > 0) return;
  uint mine[16] = {};
  for (uint k = i; k < min(i + 256, n); k++) mine[x[k] / 16]++;
  for (uint b = 0; b < 16; b++)
    if (mine[b] > 0)
      atomic_fetch_add_explicit(&bins[b], mine[b], memory_order_relaxed);
}
