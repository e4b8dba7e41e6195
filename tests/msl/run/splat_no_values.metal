// section: 2.2 Vector Data Types
// construct: names of bools where no value stands: members, types
// grid: 2
// out: o uint 4 4 3 3 2 2
#include <metal_stdlib>
using namespace metal;
#define offsetof(t, d) __builtin_offsetof(t, d)
using flag = bool;
constant bool D = true;
struct S {
  float P;
  float D;
};
static_assert(offsetof(S, D) == 4, "a member");
kernel void test(device uint *o [[buffer(0)]],
                 uint i [[thread_position_in_grid]]) {
  __typeof__(D) also = D;
  o[i] = offsetof(S, D);
  o[2 + i] = uint(alignof(flag)) + __alignof__(bool) + uint(also);
  o[4 + i] = uint(__is_same(flag, bool)) + uint(sizeof(flag));
}
