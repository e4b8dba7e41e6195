// section: 2.12 Aggregate Types
// construct: array<T, N>: size, index, copy, initializer, in a struct, range for, constexpr
// grid: 1
// in: x float 1
// out: a float 1 10 3 15 7 5 6 6
#include <metal_stdlib>
using namespace metal;
struct S { array<int, 2> v; int k; };
kernel void test(device const float *x [[buffer(0)]], device float *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 1;
  a += i * 8;
  array<float, 3> t = {x[0], 2, 3}; array<float, 3> u = t; u[0] = 10; a[0] = t[0]; a[1] = u[0];
  a[2] = t.size(); float s = 0; for (float e : u) s += e; a[3] = s; S st = {{1, 2}, 5};
  a[4] = st.v[1] + st.k; constexpr array<int, 2> c = {4, 5}; a[5] = c[1]; int plain[] = {1, 2, 3}; int m = 0;
  for (int e : plain) m += e; a[6] = m; for (thread float &e : u) e *= 2; a[7] = u[2];
}
