#include <metal_stdlib>
using namespace metal;
static void add(threadgroup atomic_float *sum, float x) {
  atomic_fetch_add_explicit(sum, x, memory_order_relaxed);
}
kernel void k(device const float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  threadgroup atomic_float sum;
  add(&sum, x[i]);
}
// expect: 4: device memory alone
