// Under a mask another strategy than without: short vectors of each lane are
// wide accesses where all lanes are active.
// AVX512: load, interleaved; under a mask gather
// AVX2: load, interleaved; under a mask gather
// SSE42: load, interleaved; under a mask short vector of each lane
// NEON: load, interleaved; under a mask short vector of each lane
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  if (i < n * 9u) {
    uint4 v = ((device const uint4 *)in)[i];
    out[i] = v.x ^ v.y * 3u ^ v.z * 5u ^ v.w * 7u;
  }
}
