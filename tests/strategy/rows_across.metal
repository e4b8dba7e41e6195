// A group 248 wide: most SIMD-groups are within one row, and a scalar test
// tells which are.
// GROUP: 248 4
// ALL: load, contiguous if a run-time test says so
// ALL: store, contiguous if a run-time test says so
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint2 p [[thread_position_in_grid]]) {
  uint at = p.y * (n + 500u) + p.x;
  out[at] = in[at + 1u] * 3u + p.y;
}
