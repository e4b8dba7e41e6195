// Row length taken from the threadgroup instead of the grid: rows overlap.
// run: --grid 64,4 --group 16,1 --arg out=float[256]:zero
// also: coverage
#include <metal_stdlib>
using namespace metal;

kernel void fill(device float *out [[buffer(0)]],
                 uint2 p [[thread_position_in_grid]],
                 uint2 grid [[threads_per_grid]],
                 uint2 group [[threads_per_threadgroup]]) {
#ifdef FIXED
  uint at = p.y * grid.x + p.x;
#else
  uint at = p.y * group.x + p.x;
#endif
  out[at] = float(p.x) - float(p.y); // !race
}
