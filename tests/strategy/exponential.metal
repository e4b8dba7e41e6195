// A product with a power of two is one instruction of AVX-512, elsewhere two
// products; never a call.
// AVX512: vscalefps
// AVX512-NOT: call
// AVX2-NOT: ldexp
// SSE42-NOT: ldexp
// NEON-NOT: ldexp
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  out[i] = as_type<uint>(exp(float(int(in[i] % 220u)) - 115.0f));
}
