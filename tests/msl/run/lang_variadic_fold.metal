// section: 1.5 Metal and C++17
// construct: a variadic template and a fold
// grid: 1
// out: o float 10.5 3 24
#include <metal_stdlib>
using namespace metal;
static float total() { return 0; }
template <typename T, typename... R> static float total(T first, R... rest) { return float(first) + total(rest...); }
template <typename... T> static int count(T...) { return sizeof...(T); }
template <typename... T> static int product(T... v) { return (v * ... * 1); }
kernel void k(device float *o [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  o[0] = total(1, 2.5f, 3, 4);
  o[1] = count(1, 2, 3);
  o[2] = product(2, 3, 4);
}
