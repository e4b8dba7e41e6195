// section: 2.12 Aggregate Types
// construct: array<T, N>
// grid: 2
// in: a float 1 2
// out: out float 6 12
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  array<float, 3> v = {1, 2, 3};
  float sum = 0;
  for (size_t k = 0; k < v.size(); k++) sum += v[k];
  out[i] = sum * a[i];
}
