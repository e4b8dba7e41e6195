// section: 1.5 Metal and C++17
// construct: if constexpr
// grid: 1
// in: a float 2.5
// out: out int 14
#include <metal_stdlib>
using namespace metal;

template <typename T> int which() {
  if constexpr (is_integral_v<T>) return 1;
  else return 2;
}

kernel void test(device const float *a [[buffer(0)]],
                 device int *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = which<int>() * 10 + which<float>() + int(a[i]);
}
