#include <metal_stdlib>
using namespace metal;

kernel void histogram(device const uchar *x    [[buffer(0)]],
                      device atomic_uint *bins [[buffer(1)]],
                      constant uint      &n    [[buffer(2)]],
                      uint i [[thread_position_in_grid]],
                      uint t [[thread_position_in_threadgroup]]) {
  threadgroup uint mine[16];
  if (t < 16) mine[t] = 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (i < n) mine[x[i] / 16]++;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t >= 16) return;
  atomic_fetch_add_explicit(&bins[t], mine[t], memory_order_relaxed);
}
