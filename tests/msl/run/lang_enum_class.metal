// section: 1.5 Metal and C++17
// construct: enum class and switch
// grid: 4
// in: a int 0 1 2 7
// out: out int 10 20 30 0
#include <metal_stdlib>
using namespace metal;

enum class Kind : uint { low, middle, high };

kernel void test(device const int *a [[buffer(0)]],
                 device int *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  switch (Kind(a[i])) {
    case Kind::low: out[i] = 10; break;
    case Kind::middle: out[i] = 20; break;
    case Kind::high: out[i] = 30; break;
    default: out[i] = 0;
  }
}
