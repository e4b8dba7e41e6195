// section: 2.2.3 Packed Vector Types
// construct: packed vectors of two and four as template arguments stay packed
// grid: 1
// group: 1
// in: in uchar 0 0 0 0 0 0 128 63 0 0 0 64 0 0 64 64 0 0 128 64
// out: out float 20 4 4 1 2 3 4 12 8 4 8
#include <metal_stdlib>
using namespace metal;
template <typename T> struct Tagged { float tag; T value; };
template <typename T> float last(device T *p, int n) { return p->value[n]; }
kernel void f(device uchar *in, device float *out) {
  typedef Tagged<packed_float4> Four;
  device Four *p = (device Four *)in;
  out[0] = sizeof(Four);
  out[1] = alignof(Four);
  out[2] = alignof(array<packed_float2, 3>);
  for (int k = 0; k < 4; k++) out[3 + k] = last(p, k);
  out[7] = sizeof(Tagged<packed_float2>);
  out[8] = sizeof(Tagged<packed_half2>);
  out[9] = sizeof(packed_vec<uchar, 4>);
  out[10] = sizeof(Tagged<packed_uchar2>);
}
