// Floats of very different size added in the order in which threads arrive.
// run: --grid 512 --group 32 --arg out=float[1]:zero
// expect: schedule
#include <metal_stdlib>
using namespace metal;

kernel void total(device atomic_float *out [[buffer(0)]],
                  uint i [[thread_position_in_grid]]) {
#ifdef FIXED
  float v = float(i % 2) * 2 - 1;
#else
  float v = i == 70 ? 1e9f : i == 400 ? -1e9f : 1.0f;
#endif
  atomic_fetch_add_explicit(out, v, memory_order_relaxed);
}
