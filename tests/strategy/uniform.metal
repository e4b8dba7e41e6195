// One address for all lanes: a scalar load, and a store by the highest lane.
// ALL: 2 loads, uniform
// ALL: store, uniform
// X86-NOT: vpgather
// X86-NOT: vgather
// X86-NOT: vpscatter
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  uint x = in[n & 255u];
  out[i] = x * i;
  out[40000] = n;
}
