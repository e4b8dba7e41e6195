// "If mine is larger, store it": two threads can both find theirs larger.
// run: --grid 90 --group 30 --arg x=int[90] --arg most=int[1]:zero
#include <metal_stdlib>
using namespace metal;

kernel void maximum(device const int *x [[buffer(0)]],
#ifdef FIXED
                    device atomic_int *most [[buffer(1)]],
#else
                    device int *most [[buffer(1)]],
#endif
                    uint i [[thread_position_in_grid]]) {
#ifdef FIXED
  atomic_fetch_max_explicit(most, x[i], memory_order_relaxed);
#else
  if (x[i] > *most) // !race
    *most = x[i]; // !race
#endif
}
