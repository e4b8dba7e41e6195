// The tile's left halo is loaded, its right one forgotten.
// run: --grid 64 --group 32 --arg x=float[64] --arg y=float[64] --arg n=64
#include <metal_stdlib>
using namespace metal;

kernel void blur(device const float *x [[buffer(0)]],
                 device float *y [[buffer(1)]],
                 constant uint &n [[buffer(2)]],
                 uint i [[thread_position_in_grid]],
                 uint t [[thread_position_in_threadgroup]],
                 uint size [[threads_per_threadgroup]]) {
  threadgroup float tile[34];
  tile[t + 1] = x[i];
  if (t == 0) tile[0] = i > 0 ? x[i - 1] : 0;
#ifdef FIXED
  if (t == size - 1) tile[t + 2] = i + 1 < n ? x[i + 1] : 0;
#endif
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y[i] = tile[t] + 2 * tile[t + 1] + tile[t + 2]; // !uninitialised
}
