// The last thread to store wins, and nobody knows which that is.
// run: --grid 96 --group 32 --arg winner=uint[1]:zero
// expect: schedule
#include <metal_stdlib>
using namespace metal;

kernel void last(device atomic_uint *winner [[buffer(0)]],
                 uint i [[thread_position_in_grid]]) {
#ifdef FIXED
  atomic_fetch_max_explicit(winner, i, memory_order_relaxed);
#else
  atomic_store_explicit(winner, i, memory_order_relaxed);
#endif
}
