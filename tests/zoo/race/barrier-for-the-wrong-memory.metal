// The barrier orders threadgroup memory, and the data is in device memory.
// run: --grid 64 --group 64 --arg x=int[64] --arg tmp=int[64] --arg y=int[64]
#include <metal_stdlib>
using namespace metal;

kernel void rotate_left(device const int *x [[buffer(0)]],
                        device int *tmp [[buffer(1)]],
                        device int *y [[buffer(2)]],
                        uint t [[thread_index_in_threadgroup]]) {
  tmp[t] = x[t] * 2; // !race
#ifdef FIXED
  threadgroup_barrier(mem_flags::mem_device);
#else
  threadgroup_barrier(mem_flags::mem_threadgroup);
#endif
  y[t] = tmp[(t + 1) % 64]; // !race
}
