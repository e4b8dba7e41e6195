// section: 2.1 Scalar Data Types
// construct: numeric_limits of the integers
// repeats: no
// grid: 8
// in: a long 0 0 0 0 0 0 0 0
// out: out long 2147483647 -2147483648 4294967295 127 -128 65535 9223372036854775807 255
#include <metal_stdlib>
using namespace metal;

kernel void test(device const long *a [[buffer(0)]],
                 device long *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  long v[8] = {numeric_limits<int>::max(), numeric_limits<int>::min(), numeric_limits<uint>::max(),
               numeric_limits<char>::max(), numeric_limits<char>::min(), numeric_limits<ushort>::max(),
               numeric_limits<long>::max(), numeric_limits<uchar>::max()};
  out[i] = v[i] + a[i];
}
