// Threads take pieces of work as they come; the result says who did what.
// run: --grid 32 --group 8 --arg next=uint[1]:zero --arg x=float[64] --arg sums=float[32]
// expect: schedule
#include <metal_stdlib>
using namespace metal;

kernel void workers(device atomic_uint *next [[buffer(0)]],
                    device const float *x [[buffer(1)]],
                    device float *sums [[buffer(2)]],
                    uint i [[thread_position_in_grid]]) {
  float sum = 0;
#ifdef FIXED
  sum = x[2 * i] + x[2 * i + 1];
#else
  for (uint k = 0; k < 2; k++)
    sum += x[atomic_fetch_add_explicit(next, 1u, memory_order_relaxed)];
#endif
  sums[i] = sum;
}
