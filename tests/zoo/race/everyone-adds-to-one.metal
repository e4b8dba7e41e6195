// out[0] += … by every thread.
// run: --grid 100 --group 50 --arg x=float[100] --arg out=float[1]:zero
#include <metal_stdlib>
using namespace metal;

kernel void sum(device const float *x [[buffer(0)]],
#ifdef FIXED
                device atomic_float *out [[buffer(1)]],
#else
                device float *out [[buffer(1)]],
#endif
                uint i [[thread_position_in_grid]]) {
#ifdef FIXED
  atomic_fetch_add_explicit(out, x[i], memory_order_relaxed);
#else
  out[0] += x[i]; // !race
#endif
}
