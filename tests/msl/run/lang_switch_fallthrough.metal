// section: 1.5 Metal and C++17
// construct: switch with fall-through
// grid: 3
// in: a int 0 1 2
// out: out int 3 2 0
#include <metal_stdlib>
using namespace metal;

kernel void test(device const int *a [[buffer(0)]],
                 device int *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  int n = 0;
  switch (a[i]) {
    case 0: n += 1;
    case 1: n += 2; break;
    default: break;
  }
  out[i] = n;
}
