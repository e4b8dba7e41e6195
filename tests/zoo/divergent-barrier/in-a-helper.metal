// The barrier is in a function, and not all threads call it.
// also: uninitialised
// run: --groups 3 --group 32,2 --arg x=float[150] --arg y=float[150] --arg n=150
#include <metal_stdlib>
using namespace metal;

static float neighbour(threadgroup float *s, float v, uint t) {
  s[t] = v;
  threadgroup_barrier(mem_flags::mem_threadgroup); // !divergent-barrier
  float right = s[(t + 1) % 64];
  threadgroup_barrier(mem_flags::mem_threadgroup); // !divergent-barrier
  return right;
}

kernel void shift(device const float *x [[buffer(0)]],
                  device float *y [[buffer(1)]],
                  constant uint &n [[buffer(2)]],
                  uint t [[thread_index_in_threadgroup]],
                  uint3 group [[threadgroup_position_in_grid]]) {
  threadgroup float s[64];
  uint i = group.x * 64 + t;
#ifdef FIXED
  float right = neighbour(s, i < n ? x[i] : 0, t);
  if (i < n) y[i] = right;
#else
  if (i < n) y[i] = neighbour(s, x[i], t);
#endif
}
