// A butterfly: the addresses themselves are compared, where there are gathers
// to avoid.
// AVX512: load, contiguous if a run-time test says so
// AVX2: load, contiguous if a run-time test says so
// SSE42: load, gather
// NEON: load, gather
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  uint j = (i >> n / 8u << (n / 8u + 1u)) | (i & ((1u << n / 8u) - 1u));
  out[i] = in[j & 65535u];
}
