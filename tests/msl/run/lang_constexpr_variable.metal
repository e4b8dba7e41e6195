// section: 1.5 Metal and C++17
// construct: constexpr variables and functions
// grid: 1
// in: a int 1
// out: out int 24
#include <metal_stdlib>
using namespace metal;

constexpr int cube(int x) { return x * x * x; }
constant constexpr int size = 2 * 8;

kernel void test(device const int *a [[buffer(0)]],
                 device int *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = size * a[i] + cube(2);
}
