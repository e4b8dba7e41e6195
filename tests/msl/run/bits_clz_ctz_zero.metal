// section: 6.3 Integer Functions
// construct: clz and ctz of 0 count all bits of the type
// grid: 1
// in: z int 0
// out: o int 32 32 16 16 8 8 64 64 0 31 3
#include <metal_stdlib>
using namespace metal;
kernel void k(device const int *z [[buffer(0)]], device int *o [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  int x = z[0];
  o[0] = clz(x);
  o[1] = ctz(x);
  o[2] = clz(short(x));
  o[3] = ctz(ushort(x));
  o[4] = clz(uchar(x));
  o[5] = ctz(char(x));
  o[6] = clz(long(x));
  o[7] = ctz(ulong(x));
  o[8] = clz(x - 1);
  o[9] = clz(x + 1);
  o[10] = ctz(uchar(x + 8));
}
