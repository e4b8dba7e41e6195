// The largest value, 1.0, falls into bin 16 of 16.
// run: --grid 200 --group 64 --arg bins=uint[16]:zero --arg n=200
#include <metal_stdlib>
using namespace metal;

kernel void histogram(device atomic_uint *bins [[buffer(0)]],
                      constant uint &n [[buffer(1)]],
                      uint i [[thread_position_in_grid]]) {
  float v = float(i) / float(n - 1);
  uint bin = uint(v * 16.0f);
#ifdef FIXED
  bin = min(bin, 15u);
#endif
  atomic_fetch_add_explicit(&bins[bin], 1u, memory_order_relaxed); // !out-of-bounds
}
