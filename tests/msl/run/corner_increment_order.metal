// section: 3.1 Scalar and Vector Operators
// construct: pre and post increment on array elements, pointers and uchar wrap
// grid: 1
// in: x int 2
// out: a int 0 1 3 1 3 3 2 2 1 5 127
#include <metal_stdlib>
using namespace metal;
kernel void test(device const int *x [[buffer(0)]], device int *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 1;
  a += i * 11;
  uchar c = 255; c++; a[0] = c; int t[3] = {1, 2, 3}; int k = 0; a[1] = t[k++]; a[2] = t[++k];
  thread int *p = t; a[3] = *p++; a[4] = *++p; a[5] = (*p)--; a[6] = t[2]; float g = 1; a[7] = g++ + 1;
  a[8] = --g; bool b = x[0]; a[9] = b ? 5 : 6; char d = -128; d--; a[10] = d;
}
