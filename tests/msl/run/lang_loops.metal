// section: 1.5 Metal and C++17
// construct: for, while, do, break, continue
// grid: 2
// in: a int 5 10
// out: out int 9 16
#include <metal_stdlib>
using namespace metal;

kernel void test(device const int *a [[buffer(0)]],
                 device int *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  int sum = 0, k = 0;
  while (true) {
    k++;
    if (k > a[i] || k > 8) break;
    if (k % 2 == 0) continue;
    sum += k;
  }
  out[i] = sum;
}
