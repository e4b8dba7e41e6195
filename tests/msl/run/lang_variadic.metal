// section: 1.5 Metal and C++17
// construct: a variadic template with a fold
// grid: 1
// in: a float 3
// out: out float 6
#include <metal_stdlib>
using namespace metal;

template <typename... T> float sum(T... x) { return (x + ...); }

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = sum(a[i], 1.0f, 2.0f);
}
