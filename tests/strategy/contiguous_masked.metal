// Under a mask: masked instructions where the CPU has them; device memory is
// never read and written back for inactive lanes.
// ALL: store, contiguous
// AVX512: {%k
// AVX2: vpmaskmovd
// SSE42-NOT: vpmaskmov
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  if (in[i] & 4u) out[i] = 7u;
}
