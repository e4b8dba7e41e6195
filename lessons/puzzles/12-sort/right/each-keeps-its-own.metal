#include <metal_stdlib>
using namespace metal;

kernel void sort(device const float *x [[buffer(0)]],
                 device float       *y [[buffer(1)]],
                 constant uint      &n [[buffer(2)]],
                 uint t [[thread_position_in_threadgroup]]) {
  threadgroup float part[256];
  float mine = t < n ? x[t] : INFINITY;
  for (uint length = 2; length <= 256; length *= 2)
    for (uint distance = length / 2; distance > 0; distance /= 2) {
      part[t] = mine;
      threadgroup_barrier(mem_flags::mem_threadgroup);
      float other = part[t ^ distance];
      threadgroup_barrier(mem_flags::mem_threadgroup);
      bool smaller = ((t & length) == 0) == ((t & distance) == 0);
      mine = smaller ? min(mine, other) : max(mine, other);
    }
  if (t < n) y[t] = mine;
}
