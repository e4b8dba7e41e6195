// Matches are appended to a list, and nobody asks whether it is full.
// run: --grid 256 --group 64 --arg x=uint[256]:iota --arg list=uint[100]:zero --arg count=uint[1]:zero
#include <metal_stdlib>
using namespace metal;

kernel void odd_ones(device const uint *x [[buffer(0)]],
                     device uint *list [[buffer(1)]],
                     device atomic_uint *count [[buffer(2)]],
                     uint i [[thread_position_in_grid]]) {
  if (x[i] % 2 == 0) return;
  uint slot = atomic_fetch_add_explicit(count, 1u, memory_order_relaxed);
#ifdef FIXED
  if (slot < 100)
    list[slot] = 1;
#else
  list[slot] = 1; // !out-of-bounds
#endif
}
