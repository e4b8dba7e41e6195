// section: 1.5 Metal and C++17
// construct: a class template with a value parameter and a specialisation
// grid: 1
// in: a int 5
// out: out int 126
#include <metal_stdlib>
using namespace metal;

template <int N> struct Power {
  static int of(int x) { return x * Power<N - 1>::of(x); }
};
template <> struct Power<0> {
  static int of(int) { return 1; }
};

kernel void test(device const int *a [[buffer(0)]],
                 device int *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = Power<3>::of(a[i]) + Power<0>::of(a[i]);
}
