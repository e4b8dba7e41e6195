// A product with a power of two is one instruction of AVX-512, elsewhere two
// products; never a call. That instruction takes the power as a float, which
// the rounded product already is.
// AVX512: vscalefps
// AVX512-NOT: call
// AVX512-NOT: vcvtdq2ps
// AVX2-NOT: ldexp
// SSE42-NOT: ldexp
// NEON-NOT: ldexp
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  float x = as_type<float>(0x43000000u | (in[i] & 0x7fffffu)); // 128 … 256
  out[i] = as_type<uint>(exp((x - 192.0f) * 1.8f));
}
