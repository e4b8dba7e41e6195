// section: 1.5 Metal and C++17
// construct: a loop whose length differs by thread: Collatz
// grid: 4
// in: a uint 1 6 7 27
// out: out uint 0 8 16 111
#include <metal_stdlib>
using namespace metal;

kernel void test(device const uint *a [[buffer(0)]],
                 device uint *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  uint x = a[i], steps = 0;
  while (x != 1) {
    x = x % 2 == 0 ? x / 2 : 3 * x + 1;
    steps++;
  }
  out[i] = steps;
}
