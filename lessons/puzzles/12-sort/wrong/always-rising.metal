#include <metal_stdlib>
using namespace metal;

kernel void sort(device const float *x [[buffer(0)]],
                 device float       *y [[buffer(1)]],
                 constant uint      &n [[buffer(2)]],
                 uint t [[thread_position_in_threadgroup]]) {
  threadgroup float part[256];
  part[t] = t < n ? x[t] : INFINITY;
  for (uint length = 2; length <= 256; length *= 2)
    for (uint distance = length / 2; distance > 0; distance /= 2) {
      threadgroup_barrier(mem_flags::mem_threadgroup);
      uint partner = t ^ distance;
      if (partner < t) continue;
      float a = part[t], b = part[partner];
      if (a > b) {
        part[t] = b;
        part[partner] = a;
      }
    }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t < n) y[t] = part[t];
}
