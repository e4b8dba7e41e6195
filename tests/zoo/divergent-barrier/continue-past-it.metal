// A "continue" that skips the barrier at the end of the loop's body.
// also: race
// run: --grid 32 --group 32 --arg x=int[32]:iota --arg y=int[32]
#include <metal_stdlib>
using namespace metal;

kernel void collect(device const int *x [[buffer(0)]],
                    device int *y [[buffer(1)]],
                    uint t [[thread_position_in_threadgroup]]) {
  threadgroup int s[32];
  int sum = 0;
  for (uint k = 1; k < 5; k++) {
    s[t] = x[t] * int(k);
    threadgroup_barrier(mem_flags::mem_threadgroup); // !divergent-barrier
    int other = s[(t + k) % 32];
#ifdef FIXED
    if (other % 2 == 0) sum += other;
#else
    if (other % 2 != 0) continue;
    sum += other;
#endif
    threadgroup_barrier(mem_flags::mem_threadgroup); // !divergent-barrier
  }
  y[t] = sum;
}
