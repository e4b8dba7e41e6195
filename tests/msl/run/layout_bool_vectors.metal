// section: 2.2 Vector Data Types
// construct: bool vectors have one byte a component; bool3 takes four
// grid: 1
// out: o uint 2 4 4 2 4 4 1
#include <metal_stdlib>
using namespace metal;
struct S { bool a; bool3 b; };
kernel void k(device uint *o [[buffer(0)]]) {
  o[0] = sizeof(bool2);
  o[1] = sizeof(bool3);
  o[2] = sizeof(bool4);
  o[3] = alignof(bool2);
  o[4] = alignof(bool4);
  o[5] = __builtin_offsetof(S, b);
  o[6] = sizeof(bool);
}
