// section: 5.8 Program Scope Function Constants
// construct: function constants of bool, int, uint, float, half, vectors
// grid: 1
// constant: 0 bool true
// constant: 1 int -7
// constant: 2 uint 4000000000
// constant: 3 float 0.25
// constant: 4 half 1.5
// constant: 5 ushort 65535
// constant: 6 char -3
// out: o float 1 -7 4000000000 0.25 1.5 65535 -3 9
#include <metal_stdlib>
using namespace metal;
constant bool a [[function_constant(0)]];
constant int b [[function_constant(1)]];
constant uint c [[function_constant(2)]];
constant float d [[function_constant(3)]];
constant half e [[function_constant(4)]];
constant ushort f [[function_constant(5)]];
constant char g [[function_constant(6)]];
constant int missing [[function_constant(7)]];
constant int h = is_function_constant_defined(missing) ? missing : 9;
kernel void k(device float *o [[buffer(0)]]) {
  o[0] = a;
  o[1] = b;
  o[2] = c;
  o[3] = d;
  o[4] = e;
  o[5] = f;
  o[6] = g;
  o[7] = h;
}
