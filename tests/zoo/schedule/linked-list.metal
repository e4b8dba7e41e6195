// Nodes are pushed on a list's head: the links depend on who came first.
// run: --grid 64 --group 16 --arg head=int[1]:-1 --arg next=int[64]
// expect: schedule
#include <metal_stdlib>
using namespace metal;

kernel void push(device atomic_int *head [[buffer(0)]],
                 device int *next [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
#ifdef FIXED
  next[i] = int(i) - 1;
  atomic_fetch_max_explicit(head, int(i), memory_order_relaxed);
#else
  next[i] = atomic_exchange_explicit(head, int(i), memory_order_relaxed);
#endif
}
