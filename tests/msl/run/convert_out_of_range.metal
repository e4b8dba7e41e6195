// section: 2.21 Type Conversions and Reinterpreting Data
// construct: floats beside the range of an integer become the nearest one, NaN becomes 0
// grid: 8
// in: x float 1e10 -1e10 300 -3.5 nan inf -inf 127.9
// out: i int 2147483647 -2147483648 300 -3 0 2147483647 -2147483648 127
// out: u uint 4294967295 0 300 0 0 4294967295 0 127
// out: b uchar 255 0 255 0 0 255 0 127
// out: c char 127 -128 127 -3 0 127 -128 127
// out: v short2 32767 -32768 -32768 32767 300 -300 -3 3 0 0 32767 -32768 -32768 32767 127 -127
// out: h ushort 65535 0 300 0 0 65535 0 127
#include <metal_stdlib>
using namespace metal;
kernel void f(device const float *x, device int *i, device uint *u, device uchar *b, device char *c, device short2 *v,
              device ushort *h, uint k [[thread_position_in_grid]]) {
  i[k] = int(x[k]);
  u[k] = x[k];
  b[k] = uchar(x[k]);
  c[k] = (char)x[k];
  v[k] = short2(float2(x[k], -x[k]));
  h[k] = static_cast<ushort>(half(x[k]));
}
