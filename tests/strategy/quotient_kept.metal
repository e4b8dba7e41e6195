// A quotient is computed before the loop that multiplies by it, and what is
// left in the loop is one fused multiply-add.
// AVX512: vdivps
// AVX512-NOT: vmulps
// AVX2: vdivps
// AVX2-NOT: vmulps
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  float p = float(in[i] & 255u) / float(in[i] | 256u), s = 0.0f;
  for (uint j = 0; j < 8u + (n & 7u); j++)
    s = (1.0f - p) * s + p * float(j);
  out[i] = uint(s);
}
