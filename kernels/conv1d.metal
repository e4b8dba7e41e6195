#include <metal_stdlib>
using namespace metal;

// y[i] = sum of w[j] · x[i + j], only where the whole window lies in x. A
// threadgroup fetches the stretch of x that its windows share once, with the
// overhang of k - 1 elements at its end.
#define THREADS 256
#define MOST 256  // the longest window

kernel void conv1d(device const float *x [[buffer(0)]],
                   device const float *w [[buffer(1)]],
                   device float       *y [[buffer(2)]],
                   constant uint &n [[buffer(3)]],  // of x
                   constant uint &k [[buffer(4)]],  // of w, up to MOST
                   uint i    [[thread_position_in_grid]],
                   uint t    [[thread_position_in_threadgroup]],
                   uint group [[threadgroup_position_in_grid]]) {
  threadgroup float part[THREADS + MOST];
  uint first = group * THREADS;
  for (uint j = t; j < THREADS + k - 1; j += THREADS)
    part[j] = first + j < n ? x[first + j] : 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);

  if (i + k > n) return;
  float sum = 0;
  for (uint j = 0; j < k; j++) sum += w[j] * part[t + j];
  y[i] = sum;
}
