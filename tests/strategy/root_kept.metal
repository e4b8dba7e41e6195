// A square root that is needed anyway has no estimate of its reciprocal beside
// it; one that only divides has nothing else.
// AVX512: vsqrtps
// AVX512-NOT: vrsqrt14ps
// AVX2: vsqrtps
// AVX2-NOT: vrsqrtps
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in, device uint *out, constant uint &n,
              uint i [[thread_position_in_grid]]) {
  float t = float(in[i] & 1023u) + 1.0f, v = float(in[i] >> 10 & 255u) + 2.0f;
  float d = float(in[i] & 65535u) / (v * sqrt(t));
  out[i] = uint(d - v * sqrt(t) + 8192.0f);
}
