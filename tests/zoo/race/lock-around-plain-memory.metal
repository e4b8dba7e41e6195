// A lock of relaxed atomics orders nothing but itself.
// run: --grid 96 --group 32 --arg lock=atomic_uint[1]:zero --arg v=float[1]:zero --arg x=float[96]
#include <metal_stdlib>
using namespace metal;

kernel void k(device atomic_uint *lock, device float *v, device const float *x, uint i [[thread_position_in_grid]]) {
#ifdef FIXED
  atomic_fetch_add_explicit((device atomic_float *)v, 1.0f, memory_order_relaxed);
  (void)lock, (void)x;
#else
  bool done = false;
  while (!done) {
    uint no = 0;
    if (atomic_compare_exchange_weak_explicit(lock, &no, 1, memory_order_relaxed, memory_order_relaxed)) {
      v[0] += x[i] + i; // !race
      atomic_store_explicit(lock, 0, memory_order_relaxed);
      done = true;
    }
  }
#endif
}
