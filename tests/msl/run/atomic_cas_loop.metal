// section: 6.15 Atomic Functions
// construct: atomic_compare_exchange_weak_explicit in a loop: a float maximum by hand
// grid: 64
// in: c float -1
// out: c float 63
#include <metal_stdlib>
using namespace metal;

kernel void test(device atomic_float *c [[buffer(0)]],
                 uint i [[thread_position_in_grid]]) {
  float value = float(i * 37 % 64), old = atomic_load_explicit(c, memory_order_relaxed);
  while (value > old &&
         !atomic_compare_exchange_weak_explicit(c, &old, value, memory_order_relaxed, memory_order_relaxed)) {
  }
}
