// The first look at the place is not atomic, only the exchange is.
// run: --grid 64 --group 32 --arg x=float[64]:0..9 --arg best=uint[1]:zero
#include <metal_stdlib>
using namespace metal;

kernel void largest(device const float *x [[buffer(0)]],
                    device atomic_uint *best [[buffer(1)]],
                    uint i [[thread_position_in_grid]]) {
#ifdef FIXED
  uint old = atomic_load_explicit(best, memory_order_relaxed);
#else
  uint old = *(device uint *)best; // !race
#endif
  while (as_type<float>(old) < x[i] &&
         !atomic_compare_exchange_weak_explicit( // !race
             best, &old, as_type<uint>(x[i]), memory_order_relaxed,
             memory_order_relaxed)) {
  }
}
