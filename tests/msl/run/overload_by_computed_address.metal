// section: 4 Address Spaces
// construct: overloads by address space, and a pointer made of a number
// grid: 2
// repeats: no
// out: a int 1 1
#include <metal_stdlib>
using namespace metal;
void put(device int *p) { *p = 1; }
void put(threadgroup int *p) { *p = 2; }
kernel void test(device int *a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  ulong address = (ulong)a;
  put((device int *)(address + i * 4));
}
