// A scatter: an instruction of AVX-512, lane by lane elsewhere.
// ALL: store, scatter: its index is loaded
// AVX512: vpscatter
// AVX2-NOT: vpscatter
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  out[(in[i] & 15u) + 16u * i] = i;
}
