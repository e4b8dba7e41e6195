// section: 6.3 Integer Functions
// construct: abs of short
// grid: 3
// in: a short -5 5 -32767
// out: out short 5 5 32767
#include <metal_stdlib>
using namespace metal;

kernel void test(device const short *a [[buffer(0)]],
                 device short *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = abs(a[i]);
}
