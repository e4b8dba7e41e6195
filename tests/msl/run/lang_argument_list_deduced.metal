// section: 1.5 Metal and C++17
// construct: a list as an argument of a template, which deduces nothing, and of other functions that take a class
// grid: 8
// repeats: no
// out: a float 5 5 5 5 5 12 9 5
#include <metal_stdlib>
using namespace metal;
template <class T> struct P { T a, b; };
template <class T> T first(P<T> p, P<T> q) { return p.a + q.b; }
template <class T> T mixed(T x, float2 v) { return x + v.y; }
template <class T, class... A> T many(T x, P<T> p, A... v) {
  return x + p.b + sizeof...(v);
}
struct M {
  template <class T> T first(P<T> p, P<T> q) const { return p.a + q.b; }
  float go(P<float> p) const { return first(p, {5, 6}); }
};
template <class T> struct C {
  T go(P<T> a, P<T> b) const { return a.a + b.b; }
  T part(vec<T, 2> a) const { return a.y; }
};
float plain(P<float> a, float2 b) { return a.a + b.y; }
kernel void test(device float *a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  P<float> p = {1, 2};
  M m;
  C<float> c;
  switch (i) {
    case 0: a[i] = first(p, {3, 4}); break;
    case 1: a[i] = first({3, 4}, p); break;
    case 2: a[i] = mixed(1.0f, {3, 4}); break;
    case 3: a[i] = first<float>(p, {3, 4}); break;
    case 4: a[i] = first<float>({1, 2}, {3, 4}) + many(0.0f, {3, 0}); break;
    case 5: a[i] = m.first(p, {3, 4}) + m.go(p); break;
    case 6: a[i] = c.go(p, {3, 4}) + c.part({3, 4}); break;
    case 7: a[i] = plain({1, 2}, {3, 4}); break;
  }
}
