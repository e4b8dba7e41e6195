// Each thread sets its own bit, but 32 threads share a word.
// run: --grid 256 --group 64 --arg x=float[256] --arg mask=uint[8]:zero
#include <metal_stdlib>
using namespace metal;

kernel void positive(device const float *x [[buffer(0)]],
#ifdef FIXED
                     device atomic_uint *mask [[buffer(1)]],
#else
                     device uint *mask [[buffer(1)]],
#endif
                     uint i [[thread_position_in_grid]]) {
  if (x[i] < 0.5f) return;
#ifdef FIXED
  atomic_fetch_or_explicit(&mask[i / 32], 1u << (i % 32), memory_order_relaxed);
#else
  mask[i / 32] |= 1u << (i % 32); // !race
#endif
}
