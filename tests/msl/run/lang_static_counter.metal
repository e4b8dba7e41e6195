// section: 1.5 Metal and C++17
// construct: nested namespaces, using, aliases and default arguments
// grid: 1
// out: o int 11 12 5
#include <metal_stdlib>
using namespace metal;
namespace outer {
static int f(int x, int plus = 10) { return x + plus; }
namespace inner {
constant int five = 5;
static int f(int x) { return outer::f(x); }
}
}
kernel void k(device int *o [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  using namespace outer;
  namespace in = outer::inner;
  o[0] = f(1);
  o[1] = in::f(2);
  o[2] = inner::five;
}
