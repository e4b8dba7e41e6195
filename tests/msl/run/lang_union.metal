// section: 1.5 Metal and C++17
// construct: a union
// grid: 1
// in: a float 1
// out: out uint 1065353216
#include <metal_stdlib>
using namespace metal;

union Bits {
  float f;
  uint u;
};

kernel void test(device const float *a [[buffer(0)]],
                 device uint *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  Bits b;
  b.f = a[i];
  out[i] = b.u;
}
