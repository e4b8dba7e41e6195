// The first group writes the new key, and a barrier is to show it to all groups.
// run: --groups 4 --group 32 --arg keys=float[96] --arg key=float[32] --arg q=float[128] --arg score=float[4]
// also: schedule
#include <metal_stdlib>
using namespace metal;

kernel void attend(device float *keys [[buffer(0)]],
                   device const float *key [[buffer(1)]],
                   device const float *q [[buffer(2)]],
                   device float *score [[buffer(3)]],
                   uint head [[threadgroup_position_in_grid]],
                   uint t [[thread_position_in_threadgroup]]) {
#ifdef FIXED
  float mine = key[t];
  if (head == 0) keys[64 + t] = mine;
#else
  if (head == 0) keys[64 + t] = key[t]; // !race
  threadgroup_barrier(mem_flags::mem_device);
  float mine = keys[64 + t]; // !race
#endif
  float s = simd_sum(mine * q[head * 32 + t]);
  if (t == 0) score[head] = s;
}
