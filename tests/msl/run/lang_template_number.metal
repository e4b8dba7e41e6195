// section: 1.5 Metal and C++17
// construct: templates with numbers, bools, types and defaults
// grid: 1
// out: o int 12 5 40 3
#include <metal_stdlib>
using namespace metal;
template <int N, bool Multiply = true> static int times(int x) {
  if constexpr (Multiply) return N * x;
  return N;
}
template <typename T, uint N = 3> struct Box {
  static constant constexpr uint size = N;
  T v[N];
  T last() thread const { return v[N - 1]; }
};
kernel void k(device int *o [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  o[0] = times<4>(3);
  o[1] = times<5, false>(3);
  Box<int, 4> b;
  for (int n = 0; n < 4; n++) b.v[n] = n * 10;
  o[2] = b.last() + b.v[1];
  o[3] = Box<float>::size;
}
