// section: 6.3 Integer Functions
// construct: popcount of ulong
// grid: 2
// in: a ulong 4611686018427387903 0
// out: out ulong 62 0
#include <metal_stdlib>
using namespace metal;

kernel void test(device const ulong *a [[buffer(0)]],
                 device ulong *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = popcount(a[i]);
}
