#include <metal_stdlib>
using namespace metal;

kernel void matmul(device const float *a [[buffer(0)]],
                   device const float *b [[buffer(1)]],
                   device float       *c [[buffer(2)]],
                   constant uint      &n [[buffer(3)]],
                   uint2 p [[thread_position_in_grid]],
                   uint2 t [[thread_position_in_threadgroup]]) {
  threadgroup float ta[256], tb[256];
  float sum = 0;
  for (uint k = 0; k < n; k += 16) {
    ta[t.y * 16 + t.x] = p.y < n && k + t.x < n ? a[p.y * n + k + t.x] : 0;
    tb[t.y * 16 + t.x] = k + t.y < n && p.x < n ? b[(k + t.y) * n + p.x] : 0;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint j = 0; j < min(16u, n - k); j++)
      sum = fma(ta[t.y * 16 + j], tb[j * 16 + t.x], sum);
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (p.x < n && p.y < n) c[p.y * n + p.x] = sum;
}
