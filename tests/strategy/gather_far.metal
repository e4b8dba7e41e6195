// A pattern that is known, of lanes too far apart.
// ALL: load, gather: its lanes are not contiguous
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  out[i] = in[(i & 511u) * 99u] + 1u;
}
