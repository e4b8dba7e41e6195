// section: 6.15 Atomic Functions
// construct: fetch functions return what was there before
// grid: 1
// in: a uint 12
// out: a uint 9
// out: o uint 12 15 13 5 7 6 9
#include <metal_stdlib>
using namespace metal;
kernel void k(device atomic_uint *a [[buffer(0)]], device uint *o [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  o[0] = atomic_fetch_add_explicit(a, 3, memory_order_relaxed);
  o[1] = atomic_fetch_sub_explicit(a, 2, memory_order_relaxed);
  o[2] = atomic_fetch_and_explicit(a, 5, memory_order_relaxed);
  o[3] = atomic_fetch_or_explicit(a, 2, memory_order_relaxed);
  o[4] = atomic_fetch_xor_explicit(a, 1, memory_order_relaxed);
  o[5] = atomic_fetch_max_explicit(a, 9, memory_order_relaxed);
  o[6] = atomic_exchange_explicit(a, 9, memory_order_relaxed);
}
