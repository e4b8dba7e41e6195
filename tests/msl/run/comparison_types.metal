// section: 3.1 Scalar, Vector, and Matrix Operators
// construct: comparing vectors gives a bool vector: to overloads, templates, auto, decltype, sizeof, swizzles
// grid: 2
// in: x float 1 2 3 4 0 5 1 7
// out: o int 2 2 2 2 2 2 14 14 12 4 4 4 2 2 3 3 2 2 2 2 2 2 3 3 3 3 7 2 5 5 5 5 0 2 2 1 2 4 12  2 2 2 2 2 2 14 14 12 4 4 4 2 2 3 3 2 2 2 2 2 2 3 3 3 3 7 2 5 5 5 5 0 2 2 1 2 4 12
// repeats: no
#include <metal_stdlib>
using namespace metal;
int h(int4) { return 1; }
int h(bool4) { return 2; }
int h(bool) { return 3; }
int h(int) { return 4; }
int h(short4) { return 5; }
template <typename T, int N> int f(vec<T, N> v) { return sizeof(T) * 10 + N; }
template <typename T> int g(T v) { return sizeof(T); }
template <typename T> auto less(T a, T b) { return a < b; }
struct Mask {
  int n;
  Mask(int4) : n(1) {}
  Mask(bool4) : n(2) {}
  int of(int4) const { return 1; }
  int of(bool4) const { return 2; }
};
constant int4 at_compile_time = int4(int4(1, 2, 3, 4) > int4(2));
struct Size { int rows, columns; };
template <int A, int B> int pair() { return A * 10 + B; }
template <int A, int B> int pair(int by) { return pair<A, B>() * by; }
#define LESS(a, b) ((a) < (b))
kernel void k(device int *o [[buffer(0)]], device const float4 *x [[buffer(1)]],
              uint i [[thread_position_in_grid]]) {
  float4 a = x[0], b = x[1];
  o += i * 39;
  int n = 0;
  o[n++] = h(a > b);
  o[n++] = h(half4(a) > half4(b));
  o[n++] = h((a > b) & (a < 3.0f));
  o[n++] = h(a > b && half4(a) < 3.0h);
  o[n++] = h(!(a > b));
  o[n++] = h(LESS(a, b));
  o[n++] = f(a > b);
  o[n++] = f((half4(a) > half4(b)) | (a > b));
  o[n++] = f(a.xy != b.xy);
  o[n++] = g(a >= b);
  auto c = a > b;
  o[n++] = sizeof(c);
  o[n++] = sizeof(decltype(a == b));
  o[n++] = h(less(a, b));
  o[n++] = h(i < 9u ? a > b : a < b);
  o[n++] = h((a > b).x);
  o[n++] = h((a > b)[1]);
  o[n++] = g((a > b).xy);
  o[n++] = Mask(a > b).n;
  o[n++] = Mask(c).of(a <= b);
  o[n++] = h(vec<float, 4>(1) < a);
  o[n++] = h(c);
  o[n++] = h(c == (a > b));
  o[n++] = h(a.x > b.x);
  o[n++] = h(i >> 1 >= i);
  o[n++] = h(!c.x);
  o[n++] = h(less(a.x, b.x));
  float4 s = select(a, b, a > b);
  o[n++] = int(s.x + s.y + s.z + s.w);
  o[n++] = any(a > b) * 2 + all(a > b);
  bool4 m = (half4(a) > half4(b)) & (a > b);
  o[n++] = m.x + 2 * m.y + 4 * m.z + 8 * m.w;
  bool4 p = half4(a) > half4(b) && a > b;
  o[n++] = p.x + 2 * p.y + 4 * p.z + 8 * p.w;
  o[n++] = c.x + 2 * c.y + 4 * c.z + 8 * c.w;
  o[n++] = int4(a > b).x * 5;
  o[n++] = ((int4)(a > b)).w;
  o[n++] = at_compile_time.z + at_compile_time.w;
  uint4 u = uint4(a > b);
  o[n++] = u.x + u.y + u.z + u.w;
  o[n++] = (a > b).x;
  float4 t = float4(a > b);
  o[n++] = int(t.x + t.z);
  o[n++] = sizeof(a != b);
  constexpr Size z = {1, 2};
  o[n++] = max(pair<z.rows, z.columns>(), pair<z.rows, z.columns>(1));
}
