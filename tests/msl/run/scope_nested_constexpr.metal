// section: 4.2 Constant Address Space
// repeats: no
// construct: constants made of constants and constexpr functions
// grid: 3
// out: o int 1 6 24
#include <metal_stdlib>
using namespace metal;
constexpr int fact(int n) { return n <= 1 ? 1 : n * (n - 1); }
constant constexpr int base = fact(3);
constant int values[3] = {fact(1), base, base * 4};
kernel void k(device int *o [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  o[i] = values[i];
}
