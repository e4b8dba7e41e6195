// section: 6.15 Atomic Functions
// construct: atomic_bool: store and load
// grid: 64
// in: c bool false false false false
// out: c bool false true false true
#include <metal_stdlib>
using namespace metal;

kernel void test(device atomic_bool *c [[buffer(0)]],
                 uint i [[thread_position_in_grid]]) {
  if (i < 4 && !atomic_load_explicit(&c[i], memory_order_relaxed))
    atomic_store_explicit(&c[i], i % 2 == 1, memory_order_relaxed);
}
