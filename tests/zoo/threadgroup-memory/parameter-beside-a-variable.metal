// 16 KB of variables and 20 KB of parameter.
// run: --grid 64 --group 64 --arg x=float[64] --arg y=float[64] --arg more=threadgroup[20480]
// fixed: --grid 64 --group 64 --arg x=float[64] --arg y=float[64] --arg more=threadgroup[16384]
#include <metal_stdlib>
using namespace metal;

kernel void both(device const float *x [[buffer(0)]], // !threadgroup-memory
                 device float *y [[buffer(1)]],
                 threadgroup float4 *more [[threadgroup(0)]],
                 uint t [[thread_position_in_threadgroup]]) {
  threadgroup float mine[4096];
  mine[t] = x[t];
  more[t] = float4(x[t]);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y[t] = mine[63 - t] + more[(t + 1) % 64].x;
}
