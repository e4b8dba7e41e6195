// section: 6.3 Integer Functions
// construct: abs of char
// grid: 3
// in: a char -5 5 -127
// out: out char 5 5 127
#include <metal_stdlib>
using namespace metal;

kernel void test(device const char *a [[buffer(0)]],
                 device char *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = abs(a[i]);
}
