#include <metal_stdlib>
using namespace metal;
template <typename T> T first(device T *p) {
  threadgroup T *q = p;
  return q[0];
}
kernel void k(device float *x [[buffer(0)]]) { x[0] = first(x); }
// expect: 4: cannot take an address in the device address space
