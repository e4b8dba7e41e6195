// section: 5.8 Program Scope Function Constants
// construct: program-scope constants computed from function constants
// grid: 1
// constant: 0 int 21
// out: out int 42 43 42 6 43 1 0 7 8
#include <metal_stdlib>
using namespace metal;
constant int given [[function_constant(0)]];
constant int absent [[function_constant(1)]];
constant int needed [[function_constant(2)]];
constant int twice = given * 2;
constant int more = twice + 1;
constant int fallback = is_function_constant_defined(absent) ? absent * 2 : 7;
constant int unused = needed * 3;
constant int after = fallback + 1;
constant bool wide = given > 20;
constant bool both = wide && twice < 40;
struct Pair {
  int v[2];
  Pair(int a, int b) { v[0] = a, v[1] = b; }
};
constant Pair pairs[2] = {Pair(5, 6), Pair(twice, more)};
kernel void f(device int *out) {
  out[0] = twice;
  out[1] = more;
  out[2] = pairs[1].v[0];
  out[3] = pairs[0].v[1];
  out[4] = pairs[1].v[1];
  out[5] = wide;
  out[6] = both;
  out[7] = fallback;
  out[8] = after;
}
