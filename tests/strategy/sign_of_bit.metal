// A bit decides about a sign: it is moved to the sign's place, without a mask.
// AVX512: vpternlog
// AVX512-NOT: vptest
// AVX2-NOT: blendv
// SSE42-NOT: blendv
// NEON-NOT: fneg
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  uint h = in[i + 3];
  float u = float(in[i] & 1023u), v = float(in[i + 1] & 511u);
  float a = (h & 1u ? -u : u) + (h & 2u ? -v : v);
  out[i] = as_type<uint>((h & 64u) == 0 ? a : -a);
}
