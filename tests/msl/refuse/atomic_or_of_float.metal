#include <metal_stdlib>
using namespace metal;
kernel void k(device atomic_float *a [[buffer(0)]]) {
  atomic_fetch_or_explicit(a, 1.0f, memory_order_relaxed);
}
// expect: 4: atomic_int or atomic_uint
