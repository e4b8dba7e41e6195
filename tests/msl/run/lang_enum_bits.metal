// section: 1.5 Metal and C++17
// repeats: no
// construct: enum class with a type, enum as flags and as index
// grid: 3
// out: o int 1 10 300
// out: p int 1 2 5
#include <metal_stdlib>
using namespace metal;
enum class Kind : uchar { one, ten, more };
enum { three = 3 };
enum Flag : uint { A = 1 << 0, B = 1 << 1, C = 1 << 2 };
kernel void k(device int *o [[buffer(0)]], device int *p [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  Kind kind = Kind(i);
  switch (kind) {
    case Kind::one: o[i] = 1; break;
    case Kind::ten: o[i] = 10; break;
    default: o[i] = 100 * three;
  }
  p[i] = i == 2 ? (A | C) : i == 1 ? B : sizeof(Kind);
}
