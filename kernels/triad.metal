#include <metal_stdlib>
using namespace metal;

// a = b + s · c with four elements per thread. Of the four loops of the STREAM
// benchmark this is the one a machine's memory bandwidth is quoted by. A float4
// is one access of 16 bytes; the last thread takes what is left over.
kernel void triad(device float       *a [[buffer(0)]],
                  device const float *b [[buffer(1)]],
                  device const float *c [[buffer(2)]],
                  constant float     &s [[buffer(3)]],
                  constant uint      &n [[buffer(4)]],
                  uint i [[thread_position_in_grid]]) {
  uint first = 4 * i;
  if (first + 4 <= n) {
    float4 x = *(device const float4 *)(b + first);
    float4 y = *(device const float4 *)(c + first);
    *(device float4 *)(a + first) = x + s * y;
  } else {
    for (uint j = first; j < n; j++) a[j] = b[j] + s * c[j];
  }
}
