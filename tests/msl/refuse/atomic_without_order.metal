#include <metal_stdlib>
using namespace metal;
kernel void k(device atomic_int *a [[buffer(0)]]) {
  atomic_fetch_add(a, 1);
}
// expect: 4: atomic_fetch_add_explicit(p, value, memory_order_relaxed)
