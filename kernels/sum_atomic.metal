#include <metal_stdlib>
using namespace metal;

// The sum of all elements, the way that comes to mind first and is the slowest:
// every thread adds its element to one place in memory, and they all have to
// wait for each other. total must be 0 before. The order of the additions, and
// so the last digits, differ from run to run.
kernel void sum_atomic(device const float  *x     [[buffer(0)]],
                       device atomic_float *total [[buffer(1)]],
                       constant uint       &n     [[buffer(2)]],
                       uint i [[thread_position_in_grid]]) {
  if (i >= n) return;
  atomic_fetch_add_explicit(total, x[i], memory_order_relaxed);
}
