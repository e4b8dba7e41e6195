// Each thread's answer is the number of its ticket.
// run: --grid 128 --group 32 --arg next=uint[1]:zero --arg mine=uint[128]
// expect: schedule
#include <metal_stdlib>
using namespace metal;

kernel void tickets(device atomic_uint *next [[buffer(0)]],
                    device uint *mine [[buffer(1)]],
                    uint i [[thread_position_in_grid]]) {
  uint ticket = atomic_fetch_add_explicit(next, 1u, memory_order_relaxed);
#ifdef FIXED
  mine[i] = i + (ticket > 4096 ? 1 : 0);
#else
  mine[i] = ticket;
#endif
}
