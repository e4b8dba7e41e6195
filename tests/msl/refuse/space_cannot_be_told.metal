#include <metal_stdlib>
using namespace metal;
void put(device int *p) { *p = 1; }
void put(threadgroup int *p) { *p = 2; }
kernel void k(device int *x [[buffer(0)]]) {
  device int *p;
  put(p);
  x[0] = 0;
}
// expect: *: which of the functions that differ by address space alone is meant cannot be told here
