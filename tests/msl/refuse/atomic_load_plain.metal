#include <metal_stdlib>
using namespace metal;
kernel void k(device atomic_int *a [[buffer(0)]]) {
  int v = atomic_load(a); atomic_store(a, v);
}
// expect: 4: atomic_load_explicit(p, memory_order_relaxed)
