// section: 2.1 Scalar Data Types
// construct: short arithmetic is done in int
// grid: 2
// in: a short 32767 -32768
// out: out int 65534 -65536
#include <metal_stdlib>
using namespace metal;

kernel void test(device const short *a [[buffer(0)]],
                 device int *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = a[i] * 2;
}
