// Under a mask lanes that step backwards or over elements have no access of
// their own but AVX-512's, which is a masked load and a permutation.
// ALL: load, strided; under a mask gather: its lanes are not contiguous
// AVX512: 2 loads, contiguous
// AVX2: load, contiguous; under a mask gather
// AVX2: this CPU has no masked access for it
// SSE42: load, contiguous; under a mask gather
// SSE42: this CPU has no masked access for it
// NEON: load, contiguous; under a mask gather
// NEON: this CPU has no masked access for it
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  if (in[i] & 4u) out[i] = in[3u * i] + in[1024u - i];
}
