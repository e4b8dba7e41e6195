// section: 1.5 Metal and C++17
// construct: the namespace and the types are known without a header
// grid: 4
// repeats: no
// out: a float 2 4 6 8
using namespace metal;
kernel void test(device float *a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float2 v = float2(i + 1);
  a[i] = v.x + v.y;
}
