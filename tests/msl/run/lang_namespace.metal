// section: 1.5 Metal and C++17
// construct: namespaces and using
// grid: 1
// in: a float 3
// out: out float 12
#include <metal_stdlib>
using namespace metal;

namespace mine {
float triple(float x) { return 3 * x; }
}
using mine::triple;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = mine::triple(a[i]) + triple(1.0f);
}
