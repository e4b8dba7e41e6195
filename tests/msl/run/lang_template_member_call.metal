// section: 1.5 Metal and C++17
// construct: A::template f<T>(x), and an address space among template arguments
// grid: 1
// out: a float 5 8
#include <metal_stdlib>
using namespace metal;
struct add { template <typename T> static T op(thread const T &a, thread const T &b) { return a + b; } };
template <typename op, typename T> T apply(thread const T *x) { return op::template op<T>(T{x[0]}, T{x[1]}); }
template <typename P, typename Q, int N> float scale(P p, Q q) { return p * N + q; }
kernel void test(device float *a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float x[2] = {2, 3};
  a[i * 2] = apply<add, float>(x);
  a[i * 2 + 1] = scale<thread float, thread float, 2>(3.0f, 2.0f);
}
