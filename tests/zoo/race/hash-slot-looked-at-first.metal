// A hash table: who finds a free place takes it, but so may another who looked at
// the same time. The corrected one fills its places in another order each time.
// run: --grid 200 --group 50 --arg keys=uint[200] --arg table=uint[256]:zero
#include <metal_stdlib>
using namespace metal;

kernel void insert(device const uint *keys [[buffer(0)]],
                   device uint *table [[buffer(1)]],
                   uint i [[thread_position_in_grid]]) {
  uint key = keys[i] | 1, start = key * 2654435761u >> 28;
  for (uint n = 0; n < 256; n++) {
    uint at = (start + n) % 256;
#ifdef FIXED
    uint none = 0;
    device atomic_uint *slot = (device atomic_uint *)&table[at];
    if (atomic_compare_exchange_weak_explicit(slot, &none, key,
                                              memory_order_relaxed,
                                              memory_order_relaxed))
      break;
#else
    if (table[at] == 0) { // !race
      table[at] = key; // !race
      break;
    }
#endif
  }
}
