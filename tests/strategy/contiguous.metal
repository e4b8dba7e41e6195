// Lane after lane: plain vector accesses, without a mask in full groups.
// ALL: load, contiguous
// ALL: store, contiguous
// X86-NOT: vpgather
// X86-NOT: vgather
// AVX512: ymm
// AVX512-NOT: {%k1}
// AVX2: ymm
// AVX2-NOT: vpmaskmov
// NEON: ldp
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  out[i] = in[i + 1u] * 3u;
}
