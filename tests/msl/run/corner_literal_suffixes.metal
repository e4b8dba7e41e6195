// section: 2.1 Scalar Data Types
// construct: literal types: 1u, 1l, 1ul, 0x80000000, 1e3, 1.h, .5f, 1.0bf, characters, binary
// grid: 1
// in: x float 2
// out: a int 4 8 4 1 4 2 4 2 5 65 1000 8 4 20 8
#include <metal_stdlib>
using namespace metal;
kernel void test(device const float *x [[buffer(0)]], device int *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 1;
  a += i * 15;
  a[0] = sizeof(1); a[1] = sizeof(1l); a[2] = sizeof(0x80000000) ; a[3] = 0x80000000 > 0; a[4] = sizeof(1e3);
  a[5] = sizeof(1.h); a[6] = sizeof(.5f); a[7] = sizeof(1.0bf); a[8] = 0b101; a[9] = 'A'; a[10] = 1'000;
  a[11] = 010; a[12] = sizeof(1.); a[13] = (int)(x[0] * 1e1); a[14] = sizeof(4294967296);
}
