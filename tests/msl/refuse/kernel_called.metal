#include <metal_stdlib>
using namespace metal;
kernel void one(device float *a, uint i [[thread_position_in_grid]]) {
  a[i] = 1;
}
static void both(device float *a, uint i) { one(a, i); }
kernel void two(device float *a, uint i [[thread_position_in_grid]]) {
  both(a, i);
}
// expect: 6: 'one' is a kernel
// expect: 6: without 'kernel'
