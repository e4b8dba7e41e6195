#include <metal_stdlib>
using namespace metal;

kernel void histogram(device const uchar *x    [[buffer(0)]],
                      device atomic_uint *bins [[buffer(1)]],
                      constant uint      &n    [[buffer(2)]],
                      uint i [[thread_position_in_grid]],
                      uint t [[thread_position_in_threadgroup]]) {
  if (i < n)
    atomic_fetch_add_explicit(&bins[x[i] / 16], 1, memory_order_relaxed);
}
