#include <metal_stdlib>
using namespace metal;

// c = a + b, one element per thread. The simplest kernel there is, and like
// all of its kind as fast as memory: 12 bytes move for every addition.
kernel void add(device const float *a [[buffer(0)]],
                device const float *b [[buffer(1)]],
                device float       *c [[buffer(2)]],
                constant uint      &n [[buffer(3)]],
                uint i [[thread_position_in_grid]]) {
  if (i >= n) return;  // a grid may be rounded up to whole threadgroups
  c[i] = a[i] + b[i];
}
