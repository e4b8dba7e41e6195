#include <metal_stdlib>
using namespace metal;

// c = a + b, as fast as memory. A thread of add asks for two numbers; here it
// asks for eight float4, each one access of 16 bytes, before it needs the first
// of them. Neighbouring threads take neighbouring float4, and the next ones of
// a thread lie a whole group further on.
#define EACH 4  // float4 of a thread

kernel void add_wide(device const float *a [[buffer(0)]],
                     device const float *b [[buffer(1)]],
                     device float       *c [[buffer(2)]],
                     constant uint      &n [[buffer(3)]],
                     uint t     [[thread_position_in_threadgroup]],
                     uint size  [[threads_per_threadgroup]],
                     uint group [[threadgroup_position_in_grid]]) {
  uint first = group * 4 * EACH * size, end = first + 4 * EACH * size;
  if (end <= n) {
    device const float4 *a4 = (device const float4 *)(a + first);
    device const float4 *b4 = (device const float4 *)(b + first);
    device float4 *c4 = (device float4 *)(c + first);
    float4 x[EACH], y[EACH];
#pragma unroll
    for (uint j = 0; j < EACH; j++) {
      x[j] = a4[t + j * size];
      y[j] = b4[t + j * size];
    }
#pragma unroll
    for (uint j = 0; j < EACH; j++) c4[t + j * size] = x[j] + y[j];
  } else {  // the last group, one by one
    for (uint i = first + t; i < n; i += size) c[i] = a[i] + b[i];
  }
}
