// section: 2.21 Type Conversions and Reinterpreting Data
// construct: a part of a float's bits, stored
// grid: 3
// in: x float 0.1 1.7 -2.3
// in: h half 0.1 1.7 -2.3
// out: bytes uchar 205 154 51 102 205 154
// out: words ushort 52429 39322 13107
// out: packed uchar 0 205 204 76 62 0 154 153 89 64 0 51 51 147 192
#include <metal_stdlib>
using namespace metal;

struct __attribute__((packed)) Odd {
  uchar c;
  float v;
};

kernel void test(device const float *x [[buffer(0)]],
                 device const half *h [[buffer(1)]],
                 device uchar *bytes [[buffer(2)]],
                 device ushort *words [[buffer(3)]],
                 device uchar *packed [[buffer(4)]],
                 uint i [[thread_position_in_grid]]) {
  bytes[i] = uchar(as_type<uint>(x[i] + x[i]));
  bytes[3 + i] = as_type<uchar2>(h[i] + h[i]).x;
  words[i] = ushort(as_type<uint>(x[i] + x[i]));
  Odd o = {0, x[i] + x[i]};
  ((device Odd *)packed)[i] = o;
}
