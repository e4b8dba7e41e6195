// A private array of 16 for each of 1024 threads, kept in threadgroup memory.
// run: --grid 1024 --group 1024 --arg x=float[1024] --arg y=float[1024]
#include <metal_stdlib>
using namespace metal;

#ifdef FIXED
constant uint EACH = 8;
#else
constant uint EACH = 16;
#endif

kernel void powers(device const float *x [[buffer(0)]], // !threadgroup-memory
                   device float *y [[buffer(1)]],
                   uint t [[thread_position_in_threadgroup]]) {
  threadgroup float own[1024][EACH];
  own[t][0] = 1;
  for (uint k = 1; k < EACH; k++) own[t][k] = own[t][k - 1] * x[t];
  float sum = 0;
  for (uint k = 0; k < EACH; k++) sum += own[t][k];
  y[t] = sum;
}
