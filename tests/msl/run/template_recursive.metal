// section: 1.5 Metal and C++17
// construct: a template that instantiates itself, and a specialisation
// grid: 1
// out: o int 120 8 1
#include <metal_stdlib>
using namespace metal;
template <int N> struct Fact { static constant constexpr int value = N * Fact<N - 1>::value; };
template <> struct Fact<0> { static constant constexpr int value = 1; };
template <int N> static int pow2() {
  if constexpr (N == 0) return 1;
  else return 2 * pow2<N - 1>();
}
template <class A, class B> struct Same { static constant constexpr bool value = false; };
template <class A> struct Same<A, A> { static constant constexpr bool value = true; };
kernel void k(device int *o [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  o[0] = Fact<5>::value;
  o[1] = pow2<3>();
  o[2] = Same<int, int>::value && !Same<int, float>::value;
}
