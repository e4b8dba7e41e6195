#include <metal_stdlib>
using namespace metal;

kernel void sort(device const float *x [[buffer(0)]],
                 device float       *y [[buffer(1)]],
                 constant uint      &n [[buffer(2)]],
                 uint t [[thread_position_in_threadgroup]]) {
  float mine = t < n ? x[t] : 0;
  if (t >= n) return;
  uint place = 0;
  for (uint i = 0; i < n; i++) place += x[i] < mine || (x[i] == mine && i < t);
  y[place] = mine;
}
