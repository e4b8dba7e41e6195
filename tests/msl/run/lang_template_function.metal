// section: 1.5 Metal and C++17
// construct: a function template, deduced and explicit
// grid: 2
// in: a float 2 3
// out: out float 8 13
#include <metal_stdlib>
using namespace metal;

template <typename T> T square(T x) { return x * x; }

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = square(a[i]) + square<int>(2);
}
