// section: 2.1 Scalar Data Types
// construct: hexadecimal and ul literals
// grid: 1
// in: a ulong 1
// out: out ulong 1099511627521
#include <metal_stdlib>
using namespace metal;

kernel void test(device const ulong *a [[buffer(0)]],
                 device ulong *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = a[i] + 0xFFFFFFFF00ul;
}
