// section: 6.15 Atomic Functions
// construct: compare-exchange of int, uint and bool; a failure writes what was there
// grid: 1
// in: a int 5
// in: b uint 6
// out: a int 7
// out: b uint 6
// out: o int 1 0 6
#include <metal_stdlib>
using namespace metal;
kernel void k(device atomic_int *a [[buffer(0)]], device atomic_uint *b [[buffer(1)]], device int *o [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  int x = 5;
  uint y = 9;
  bool done = false;
  for (int n = 0; n < 100 && !done; n++) done = atomic_compare_exchange_weak_explicit(a, &x, 7, memory_order_relaxed, memory_order_relaxed);
  o[0] = done;
  o[1] = atomic_compare_exchange_weak_explicit(b, &y, 1u, memory_order_relaxed, memory_order_relaxed);
  o[2] = y;
}
