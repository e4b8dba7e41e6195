// The first thread sets the counter to 0, and a barrier follows; but that makes
// only its own threadgroup wait.
// run: --grid 128 --group 32 --arg x=int[128] --arg count=int[1]:zero
// fixed: --grid 128 --group 32 --arg x=int[128] --arg count=int[1]:zero
#include <metal_stdlib>
using namespace metal;

kernel void count_even(device const int *x [[buffer(0)]],
                       device int *count [[buffer(1)]],
                       uint i [[thread_position_in_grid]]) {
#ifndef FIXED
  if (i == 0) *count = 0; // !race
  threadgroup_barrier(mem_flags::mem_device);
#endif
  if (x[i] % 2 == 0)
    atomic_fetch_add_explicit((device atomic_int *)count, 1, memory_order_relaxed); // !race
}
