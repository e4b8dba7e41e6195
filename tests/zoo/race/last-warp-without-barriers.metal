// CUDA's old trick: the last 32 threads run in step, so no barrier is needed.
// Neither CUDA nor Metal promises that.
// run: --grid 64 --group 64 --arg in=float[64] --arg out=float[1]
#include <metal_stdlib>
using namespace metal;

kernel void reduce(device const float *in [[buffer(0)]],
                   device float *out [[buffer(1)]],
                   uint tid [[thread_position_in_threadgroup]]) {
  threadgroup float sdata[64];
  sdata[tid] = in[tid];
  threadgroup_barrier(mem_flags::mem_threadgroup);
#ifdef FIXED
  if (tid < 32) {
    float v = simd_sum(sdata[tid] + sdata[tid + 32]);
    if (tid == 0) sdata[0] = v;
  }
#else
  if (tid < 32) {
    sdata[tid] += sdata[tid + 32];
    sdata[tid] += sdata[tid + 16]; // !race
    sdata[tid] += sdata[tid + 8]; // !race
    sdata[tid] += sdata[tid + 4]; // !race
    sdata[tid] += sdata[tid + 2]; // !race
    sdata[tid] += sdata[tid + 1]; // !race
  }
#endif
  if (tid == 0) out[0] = sdata[0];
}
