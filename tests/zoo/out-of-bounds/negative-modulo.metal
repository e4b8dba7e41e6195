// The remainder of a negative int is negative: a hash table's slot -3.
// run: --grid 100 --group 32 --arg keys=int[100]:-1000..1000 --arg counts=int[64]:zero
#include <metal_stdlib>
using namespace metal;

kernel void count_keys(device const int *keys [[buffer(0)]],
                       device atomic_int *counts [[buffer(1)]],
                       uint i [[thread_position_in_grid]]) {
#ifdef FIXED
  int slot = (keys[i] * 31 % 64 + 64) % 64;
#else
  int slot = keys[i] * 31 % 64;
#endif
  atomic_fetch_add_explicit(&counts[slot], 1, memory_order_relaxed); // !out-of-bounds
}
