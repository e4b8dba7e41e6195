// Append by SIMD-group: the leader adds for all, but lane 0 may have nothing to add.
// run: --grid 64 --group 32 --arg x=uint[64]:iota --arg list=uint[64]:zero --arg count=uint[1]:zero
#include <metal_stdlib>
using namespace metal;

kernel void keep_odd(device const uint *x [[buffer(0)]],
                     device uint *list [[buffer(1)]],
                     device atomic_uint *count [[buffer(2)]],
                     uint i [[thread_position_in_grid]]) {
  if (x[i] % 2 == 0) return;
  uint place = simd_prefix_exclusive_sum(1u);
  uint total = simd_sum(1u), base = 0;
  if (simd_is_first())
    base = atomic_fetch_add_explicit(count, total, memory_order_relaxed);
#ifdef FIXED
  base = simd_broadcast_first(base);
#else
  base = simd_broadcast(base, 0); // !inactive-lane
#endif
  list[base + place] = 1;
}
