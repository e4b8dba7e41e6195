// A guard that grows from lane to lane: two scalars decide for all lanes.
// ALL: branch, divergent, tested on scalars first
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  if (i < n * 9u) out[i] = in[i];
}
