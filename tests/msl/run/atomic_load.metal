// section: 6.15 Atomic Functions
// construct: atomic_load_explicit
// grid: 8
// in: c int 1..8
// out: out int 2 4 6 8 10 12 14 16
#include <metal_stdlib>
using namespace metal;

kernel void test(device atomic_int *c [[buffer(0)]], device int *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = atomic_load_explicit(&c[i], memory_order_relaxed) * 2;
}
