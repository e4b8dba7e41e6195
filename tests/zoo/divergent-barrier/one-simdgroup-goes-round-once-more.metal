// The loop's end depends on the SIMD-group, which no thread of it can see.
// run: --grid 64 --group 64 --arg out=int[64]
#include <metal_stdlib>
using namespace metal;

kernel void pass_on(device int *out [[buffer(0)]],
                    uint t [[thread_position_in_threadgroup]],
                    uint simd [[simdgroup_index_in_threadgroup]]) {
  threadgroup int value[64];
  value[t] = int(t);
#ifdef FIXED
  uint rounds = 3;
#else
  uint rounds = 2 + simd;
#endif
  for (uint r = 0; r < rounds; r++) {
    threadgroup_barrier(mem_flags::mem_threadgroup); // !divergent-barrier
    int v = value[(t + 1) % 64];
    threadgroup_barrier(mem_flags::mem_threadgroup); // !divergent-barrier
    value[t] = v;
  }
  out[t] = value[t];
}
