#include <metal_stdlib>
using namespace metal;

kernel void centre(device const float *x [[buffer(0)]],
                   device float       *y [[buffer(1)]],
                   constant uint      &n [[buffer(2)]],
                   uint i [[thread_position_in_grid]],
                   uint t [[thread_position_in_threadgroup]],
                   uint g [[threadgroup_position_in_grid]]) {
  uint count = min(64u, n - g * 64);  // elements of this team
  threadgroup atomic_float sum;
  if (t == 0) atomic_store_explicit(&sum, 0.0f, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (i < n) atomic_fetch_add_explicit(&sum, x[i], memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (i >= n) return;
  y[i] = x[i] - atomic_load_explicit(&sum, memory_order_relaxed) / count;
}
