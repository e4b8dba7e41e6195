// section: 1.5 Metal and C++17
// construct: a lambda
// grid: 2
// in: a float 2 3
// out: out float 5 10
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  float k = 1;
  auto f = [&](float x) { return x * x + k; };
  out[i] = f(a[i]);
}
