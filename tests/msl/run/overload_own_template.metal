// section: 6.2 Common Functions
// construct: a template of one's own beside a function of the library; is_integral of vectors
// grid: 1
// out: a int -1 0 1 -1
#include <metal_stdlib>
using namespace metal;
template <typename T, typename E = typename enable_if<is_integral<T>::value>::type>
inline T sign(T x) { return select(select(select(x, T(0), x == T(0)), T(1), x > T(0)), T(-1), x < T(0)); }
kernel void test(device int *a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  int3 v = sign(int3(-5, 0, 7));
  for (int k = 0; k < 3; k++) a[i * 4 + k] = v[k];
  a[i * 4 + 3] = sign(-3) + int(sign(0.0f));
}
