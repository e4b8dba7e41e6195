// section: 6.15 Atomic Functions
// construct: atomic_exchange_explicit returns the old value
// repeats: no
// grid: 8
// in: c uint 10..17
// out: c uint 0..7
// out: out uint 10..17
#include <metal_stdlib>
using namespace metal;

kernel void test(device atomic_uint *c [[buffer(0)]], device uint *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = atomic_exchange_explicit(&c[i], i, memory_order_relaxed);
}
