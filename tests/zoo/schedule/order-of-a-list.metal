// The list has less room than there are elements: which of them it keeps is the
// order in which threads arrived.
// run: --grid 256 --group 32 --arg x=uint[256]:iota --arg list=uint[64]:zero --arg count=uint[1]:zero
// fixed: --grid 256 --group 32 --arg x=uint[256]:iota --arg list=uint[256]:zero --arg count=uint[1]:zero
// expect: schedule
#include <metal_stdlib>
using namespace metal;

kernel void multiples(device const uint *x [[buffer(0)]],
                      device uint *list [[buffer(1)]],
                      device atomic_uint *count [[buffer(2)]],
                      uint i [[thread_position_in_grid]]) {
  if (x[i] % 3 != 0) return;
  uint slot = atomic_fetch_add_explicit(count, 1u, memory_order_relaxed);
#ifdef FIXED
  list[slot] = x[i];
#else
  if (slot < 64) list[slot] = x[i];
#endif
}
