// Thread 0 adds up what the SIMD-groups left, without waiting for them.
// run: --grid 256 --group 256 --arg x=float[256] --arg out=float[1]
#include <metal_stdlib>
using namespace metal;

kernel void sum(device const float *x [[buffer(0)]],
                device float *out [[buffer(1)]],
                uint i [[thread_position_in_grid]],
                uint lane [[thread_index_in_simdgroup]],
                uint warp [[simdgroup_index_in_threadgroup]],
                uint warps [[simdgroups_per_threadgroup]]) {
  threadgroup float partial[32];
  float s = simd_sum(x[i]);
  if (lane == 0) partial[warp] = s; // !race
#ifdef FIXED
  threadgroup_barrier(mem_flags::mem_threadgroup);
#endif
  if (i == 0) {
    float total = 0;
    for (uint k = 0; k < warps; k++) total += partial[k]; // !race
    out[0] = total;
  }
}
