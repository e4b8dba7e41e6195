// Odd-even transposition sort without a barrier between the odd and even steps.
// run: --grid 32 --group 32 --arg x=int[64]
#include <metal_stdlib>
using namespace metal;

kernel void sort(device int *x [[buffer(0)]],
                 uint t [[thread_position_in_threadgroup]]) {
  for (uint step = 0; step < 64; step++) {
    uint i = 2 * t + step % 2;
    if (i + 1 < 64) {
      int a = x[i], b = x[i + 1]; // !race
      x[i] = min(a, b); // !race
      x[i + 1] = max(a, b); // !race
    }
#ifdef FIXED
    threadgroup_barrier(mem_flags::mem_device);
#endif
  }
}
