#include <metal_stdlib>
using namespace metal;

kernel void count_positive(device const float *x     [[buffer(0)]],
                           device atomic_uint *count [[buffer(1)]],
                           constant uint      &n     [[buffer(2)]],
                           uint i [[thread_position_in_grid]]) {
  if (i < n && x[i] > 0)
    atomic_fetch_add_explicit(count, 1u, memory_order_relaxed);
}
