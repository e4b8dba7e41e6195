// Two adjacent words of a table at an index that was loaded, of which each lane
// reads both: elements of eight bytes, half as many. Also where the index is a
// sum, as in Perlin's noise; not where a store may come between.
// ALL: line 19: 2 loads, gather of adjacent words: its index is loaded
// ALL: line 20: 2 loads, gather of adjacent words: its index is loaded
// ALL: line 21: load, gather: its index is loaded
// ALL: line 23: load, gather: its index is loaded
// AVX512: vpgatherdq
// AVX2: vmovsd
// SSE42-NOT: vpgather
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  uint h = in[i] & 1023u, step = in[i + 7] & 511u;
  uint next = step + 1u;
  uint a = in[h], b = in[h + 1u];
  uint c = in[(a & 255u) + step], d = in[(a & 255u) + next];
  uint e = out[30000u + (h >> 5) * 2u];
  out[i] = a ^ b * 3u ^ c * 5u ^ d * 7u ^ e;
  out[i] += out[30000u + (h >> 5) * 2u + 1u];
}
