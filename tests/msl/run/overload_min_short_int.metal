// section: 1.5.1 Overloading
// construct: min of short and int
// grid: 2
// in: a short -5 7
// out: out int -5 6
#include <metal_stdlib>
using namespace metal;

kernel void test(device const short *a [[buffer(0)]],
                 device int *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = min(a[i], 6);
}
