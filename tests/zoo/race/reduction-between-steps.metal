// One barrier before the tree, none between its steps.
// run: --grid 512 --group 256 --arg in=int[512] --arg out=int[2]
#include <metal_stdlib>
using namespace metal;

kernel void largest(device const int *in [[buffer(0)]],
                    device int *out [[buffer(1)]],
                    uint i [[thread_position_in_grid]],
                    uint t [[thread_position_in_threadgroup]],
                    uint size [[threads_per_threadgroup]],
                    uint g [[threadgroup_position_in_grid]]) {
  threadgroup int best[256];
  best[t] = in[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint n = size / 2; n > 0; n >>= 1) {
    if (t < n) best[t] = max(best[t], best[t + n]); // !race
#ifdef FIXED
    threadgroup_barrier(mem_flags::mem_threadgroup);
#endif
  }
  if (t == 0) out[g] = best[0];
}
