// A condition that is the same in all lanes needs no mask.
// ALL-NOT: divergent
// AVX512-NOT: {%k
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  if (n & 1u) out[i] = in[i] * 3u;
}
