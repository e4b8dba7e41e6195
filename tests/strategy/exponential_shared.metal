// Exponentials of the same number share what is rounded, and a barrier or a
// loop between them puts the second one into another block, which has the
// rounded number as an integer only: a conversion more, and never a call.
// AVX512: vscalefps
// AVX512: vcvtdq2ps
// AVX512-NOT: call
// AVX2-NOT: ldexp
// SSE42-NOT: ldexp
// NEON-NOT: ldexp
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]],
              uint l [[thread_position_in_threadgroup]]) {
  threadgroup float other[256];
  float x = as_type<float>(0x43000000u | (in[i] & 0x7fffffu)); // 128 … 256
  x = (x - 192.0f) * 1.1f;
  other[l] = exp(x);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float sum = other[l / 2u] * 0.5f + cosh(x);
  x = as_type<float>(0x3f800000u | (in[i + 1] & 0x7fffffu)); // 1 … 2
  float product = exp(x);
  for (uint k = 0; k < in[i] % n; k++)
    product = product * 0.5f + as_type<float>(0x3f800000u | in[k]);
  out[i] = as_type<uint>(sum + product * sinh(x));
}
