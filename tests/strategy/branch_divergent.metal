// A condition that only the lanes know.
// ALL: branch, divergent
// ALL-NOT: tested on scalars
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  if (in[i] & 1u) out[i] = in[in[i] & 255u];
}
