// Everyone adds, and the last thread reads the sum: but the others may not have
// added yet.
// run: --grid 64 --group 64 --arg x=int[64] --arg total=int[1]:zero --arg out=int[1]
#include <metal_stdlib>
using namespace metal;

kernel void sum(device const int *x [[buffer(0)]],
                device atomic_int *total [[buffer(1)]],
                device int *out [[buffer(2)]],
                uint i [[thread_position_in_grid]]) {
  atomic_fetch_add_explicit(total, x[i], memory_order_relaxed); // !race
#ifdef FIXED
  threadgroup_barrier(mem_flags::mem_device);
#endif
  if (i == 63) *out = *(device int *)total; // !race
}
