// section: 3.1 Scalar and Vector Operators
// construct: a shift takes its amount modulo the width: a constant, a variable that is one, any number, of each width
// grid: 4
// in: x uint 1 2 3 0x80000005
// in: n uint 1 32 33 4294967295
// out: o ulong 2 2 0 0 2 0 131074 1 2147483648 2 8589934592  4 4 1 1 2 2 65538 2 0 2 1  6 6 1 1 6 1 131078 3 2147483648 6 2  10 10 1073741826 3221225474 2147483648 1 2147516416 2147483653 2147483648 2147483648 2147483648
#include <metal_stdlib>
using namespace metal;
kernel void test(device const uint *x [[buffer(0)]], device const uint *n [[buffer(1)]], device ulong *o [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  uint one_more = 33;
  o += 11 * i;
  o[0] = x[i] << 33;
  o[1] = x[i] << one_more;
  o[2] = x[i] >> one_more;
  o[3] = uint(int(x[i]) >> 33);
  o[4] = x[i] << n[i];
  o[5] = x[i] >> n[i];
  o[6] = as_type<uint>(ushort2(x[i], 1) << ushort2(n[i]));
  uint4 v = uint4(x[i]) << uint4(64, 31, n[i], 0);
  o[7] = v.x;
  o[8] = v.y;
  o[9] = v.z;
  o[10] = 1ul << (n[i] + 32);
}
