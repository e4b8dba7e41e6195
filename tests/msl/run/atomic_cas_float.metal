// section: 6.15 Atomic Functions
// construct: compare-exchange of an atomic_float adds
// grid: 64
// group: 32
// repeats: no
// in: a float 0
// out: a float 64
#include <metal_stdlib>
using namespace metal;
kernel void k(device atomic_float *a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float old = atomic_load_explicit(a, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(a, &old, old + 1.0f, memory_order_relaxed, memory_order_relaxed)) {
  }
  if (i > 1000) atomic_store_explicit(a, 0.0f, memory_order_relaxed);
}
