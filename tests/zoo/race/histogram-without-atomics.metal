// Several threads add 1 to the same bin at once.
// run: --grid 1000 --group 128 --arg values=uchar[1000] --arg bins=uint[256]:zero
#include <metal_stdlib>
using namespace metal;

kernel void histogram(device const uchar *values [[buffer(0)]],
#ifdef FIXED
                      device atomic_uint *bins [[buffer(1)]],
#else
                      device uint *bins [[buffer(1)]],
#endif
                      uint i [[thread_position_in_grid]]) {
#ifdef FIXED
  atomic_fetch_add_explicit(&bins[values[i]], 1u, memory_order_relaxed);
#else
  bins[values[i]]++; // !race
#endif
}
