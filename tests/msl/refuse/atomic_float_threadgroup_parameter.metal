#include <metal_stdlib>
using namespace metal;
kernel void k(device const float *x [[buffer(0)]], threadgroup atomic_float *sums [[threadgroup(0)]],
              uint t [[thread_position_in_threadgroup]]) {
  atomic_store_explicit(&sums[t & 3], x[t], memory_order_relaxed);
}
// expect: 5: device memory alone
