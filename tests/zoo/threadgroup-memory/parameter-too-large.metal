// Scratch sized for more threads than a group can have.
// run: --grid 512 --group 512 --arg x=float[512] --arg y=float[512] --arg scratch=threadgroup[40960]
// fixed: --grid 512 --group 512 --arg x=float[512] --arg y=float[512] --arg scratch=threadgroup[2048]
#include <metal_stdlib>
using namespace metal;

kernel void reverse(device const float *x [[buffer(0)]], // !threadgroup-memory
                    device float *y [[buffer(1)]],
                    threadgroup float *scratch [[threadgroup(0)]],
                    uint t [[thread_position_in_threadgroup]]) {
  scratch[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y[t] = scratch[511 - t];
}
