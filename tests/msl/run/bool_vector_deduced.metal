// section: 2.2 Vector Data Types
// construct: vec<T, N> as a parameter deduced from bool vectors: functions, aliases, specializations; vec<bool, 8>
// grid: 4
// out: o int 0 3 5 34 12 1421 128 1103 844  24 4 16 76 13 1421 428 2103 844  24 4 25 118 15 1421 428 1105 844  48 4 36 150 15 1421 728 2105 844
#include <metal_stdlib>
using namespace metal;
template <typename T, int N> vec<T, N> pass(vec<T, N> v) { return v; }
template <typename T, int N> METAL_FUNC int count(vec<T, N> v, int by = 1) {
  int n = 0;
  for (int k = 0; k < N; k++) n += v[k] ? by : 0;
  return n;
}
template <typename T> T first(T x) { return x; }
template <typename T, int N> T first(metal::vec<T, N> x) { return x[0]; }
template <typename T, typename U, int N> vec<T, N> choose(vec<T, N> a, const thread vec<T, N> &b, vec<U, N> c) {
  vec<T, N> r;
  for (int k = 0; k < N; k++) r[k] = c[k] ? b[k] : a[k];
  return r;
}
template <typename T> struct Size { static constant constexpr int n = 1; };
template <typename T, int N> struct Size<vec<T, N>> { static constant constexpr int n = N; typedef T element; };
template <typename U> using Row = vec<U, 8>;
struct Frag {
  template <typename T> using Own = metal::vec<T, 8>;
  template <typename T, typename P> static constexpr void load(thread Own<T> &d, P p, int step = 1) {
    for (int k = 0; k < 8; k++) d[k] = static_cast<T>(p[k * step]);
  }
};
template <typename T> int total(thread const Row<T> &r) {
  int n = 0;
  for (int k = 0; k < 8; k++) n += int(r[k]);
  return n;
}
template <typename T, int N> auto last(vec<T, N> v) { return v[N - 1]; }
kernel void k(device int *o [[buffer(0)]], uint thread_number [[thread_position_in_grid]]) {
  uint i = thread_number * 5;
  o += thread_number * 9;
  bool4 b = bool4(i & 1, i & 2, i & 4, i & 8);
  float4 f = float4(i, 1, 2, 3);
  int n = 0;
  o[n++] = count(pass(b)) * 10 + count(b, 2);
  o[n++] = count(pass(f));
  o[n++] = first(b) + 2 * int(first(f)) + first(5);
  float4 g = choose(f, float4(10), b);
  o[n++] = int(g.x + g.y * 2 + g.z * 4 + g.w * 8);
  bool4 h = choose(b, bool4(true), bool4(f > 1.5f));
  o[n++] = h.x + 2 * h.y + 4 * h.z + 8 * h.w;
  o[n++] = Size<bool4>::n * 100 + Size<float2>::n * 10 + Size<int>::n + sizeof(Size<bool3>::element) * 1000;
  Row<bool> r;
  Row<float> s;
  Frag::load(r, o + 0);
  Frag::load(s, o + 0);
  for (int q = 0; q < 8; q++) r[q] = (i >> (q & 3)) & 1, s[q] = q;
  r[3] &= i & 4;
  r[2] |= true;
  o[n++] = total(r) * 100 + total(s);
  o[n++] = last(b) * 2 + int(last(f)) + count(bool2(i & 1, 1)) * 1000 + count<float, 2>(float2(0, 1)) * 100;
  o[n++] = sizeof(r) * 100 + sizeof(bool4) * 10 + sizeof(vec<bool, 3>);
}
