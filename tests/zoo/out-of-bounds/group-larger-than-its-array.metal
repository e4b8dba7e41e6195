// The array is as large as the group was once.
// run: --grid 256 --group 128 --arg x=float[256] --arg y=float[256]
// fixed: --grid 256 --group 64 --arg x=float[256] --arg y=float[256]
// also: race uninitialised
#include <metal_stdlib>
using namespace metal;

kernel void turn(device const float *x [[buffer(0)]],
                 device float *y [[buffer(1)]],
                 uint i [[thread_position_in_grid]],
                 uint t [[thread_position_in_threadgroup]],
                 uint size [[threads_per_threadgroup]]) {
  threadgroup float part[64];
  part[t] = x[i]; // !out-of-bounds
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y[i] = part[size - 1 - t]; // !out-of-bounds
}
