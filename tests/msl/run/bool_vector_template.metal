// section: 2.2 Vector Data Types
// construct: vec<T, N> of a template whose T is bool: members, results, parameters
// grid: 4
// in: a float4 1 2 3 4  4 3 2 1  0 0 5 -5  -1 1 -1 1
// out: o int 1011 1101 0 101
#include <metal_stdlib>
using namespace metal;
template <typename T, int N> struct Pair {
  vec<T, N> first;
  vec<T, N> all[2];
  vec<T, N> swapped(vec<T, N> other, bool really) thread const;
  template <typename U> vec<U, N> as(vec<U, N> plus, vec<T, N> v) thread const { return plus + vec<U, N>(v); }
};
template <typename T, int N> vec<T, N> Pair<T, N>::swapped(vec<T, N> other, bool really) thread const {
  return really ? other : first;
}
template <typename T> vec<T, 4> both(Pair<T, 4> p) { return p.first && p.all[1]; }
kernel void k(device const float4 *a [[buffer(0)]], device int *o [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  Pair<bool, 4> p;
  p.first = a[i] > 0.5f;
  p.all[1] = vec<bool, 4>(a[i].xy < 4.5f, a[i].zw < 4.5f);
  p.all[0] = p.swapped(both(p), true);
  int4 d = p.as(int4(0), p.all[0] && !(a[i] == 2.0f));
  o[i] = d.x * 1000 + d.y * 100 + d.z * 10 + d.w;
}
