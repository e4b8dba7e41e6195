// Scratch was sized in elements where the host wants bytes.
// run: --grid 512 --group 128 --arg in=float[512] --arg out=float[4] --arg scratch=threadgroup[128]
// fixed: --grid 512 --group 128 --arg in=float[512] --arg out=float[4] --arg scratch=threadgroup[512]
#include <metal_stdlib>
using namespace metal;

kernel void sums(device const float *in [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 threadgroup float *scratch [[threadgroup(0)]],
                 uint i [[thread_position_in_grid]],
                 uint t [[thread_position_in_threadgroup]],
                 uint g [[threadgroup_position_in_grid]]) {
  scratch[t] = in[i]; // !out-of-bounds
  for (uint step = 64; step > 0; step /= 2) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (t < step) scratch[t] += scratch[t + step]; // !out-of-bounds
  }
  if (t == 0) out[g] = scratch[0];
}
