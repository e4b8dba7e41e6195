// section: 6.3 Integer Functions
// construct: max of char
// grid: 2
// in: a char -100 5
// in: b char 100 7
// out: out char 100 7
#include <metal_stdlib>
using namespace metal;

kernel void test(device const char *a [[buffer(0)]],
                 device const char *b [[buffer(1)]],
                 device char *out [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = max(a[i], b[i]);
}
