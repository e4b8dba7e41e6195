// The first thread to claim a cell puts its name there.
// run: --grid 100 --group 20 --arg owner=int[10]:-1
// expect: schedule
#include <metal_stdlib>
using namespace metal;

kernel void claim(device atomic_int *owner [[buffer(0)]],
                  uint i [[thread_position_in_grid]]) {
#ifdef FIXED
  atomic_fetch_max_explicit(&owner[i % 10], int(i), memory_order_relaxed);
#else
  int empty = -1;
  while (!atomic_compare_exchange_weak_explicit(&owner[i % 10], &empty, int(i),
                                                memory_order_relaxed, memory_order_relaxed))
    if (empty != -1) break;
#endif
}
