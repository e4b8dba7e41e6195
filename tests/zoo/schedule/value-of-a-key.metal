// A hash table with its values in an array of their own: of the threads that bring one key, the first one's value stays.
// run: --grid 96 --group 32 --arg key=uint[96]:0..40 --arg value=uint[96] --arg keys=atomic_uint[128]:zero --arg values=uint[128]:zero
#include <metal_stdlib>
using namespace metal;

kernel void insert(device const uint *key [[buffer(0)]],
                   device const uint *value [[buffer(1)]],
                   device atomic_uint *keys [[buffer(2)]],
                   device uint *values [[buffer(3)]],
                   uint i [[thread_position_in_grid]]) {
  uint k = key[i] + 1;
  for (uint at = k * 40503u % 16;; at = (at + 1) % 128) {
    uint there = 0;
    bool first = atomic_compare_exchange_weak_explicit(&keys[at], &there, k, memory_order_relaxed, memory_order_relaxed);
    if (!first && there != k) continue;
#ifdef FIXED
    atomic_fetch_add_explicit((device atomic_uint *)&values[at], value[i], memory_order_relaxed);
#else
    if (first) values[at] = value[i]; // !schedule
#endif
    return;
  }
}
