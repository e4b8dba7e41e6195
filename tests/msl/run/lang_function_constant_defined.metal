// section: 5.8 Program Scope Function Constants
// construct: is_function_constant_defined
// repeats: no
// grid: 1
// constant: 0 int 7
// out: out int 71
#include <metal_stdlib>
using namespace metal;

constant int given [[function_constant(0)]];
constant int absent [[function_constant(1)]];
kernel void test(device int *out [[buffer(0)]]) {
  int a = is_function_constant_defined(given) ? given : 0;
  int b = is_function_constant_defined(absent) ? absent : 1;
  out[0] = a * 10 + b;
}
