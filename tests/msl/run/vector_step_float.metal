// section: 3.1 Scalar and Vector Operators
// construct: ++ and -- on float vectors, parameters and arrays of them
// grid: 2
// in: a float 0.5 1.5 2.5 3.5
// out: a float 0.5 1.5 2.5 3.5
// out: b float 1.5 2.5 3.5 4.5
#include <metal_stdlib>
using namespace metal;
float2 stepped(float2 v) { return ++v; }
kernel void test(device float2 *a [[buffer(0)]], device float2 *b [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  float2 list[2] = {a[i], a[i]};
  list[0]++;
  --list[1];
  b[i] = stepped(a[i]);
  a[i] = (list[0] + list[1]) * 0.5f;
  for (uint n = 0; n < 2; n++) a[i] += 0.0f;
}
