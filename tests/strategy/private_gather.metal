// A private array that each lane indexes by itself.
// ALL: load, gather: its index is loaded
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  uint a[32];
  for (uint j = 0; j < n; j++) a[j & 31u] = in[i + j];
  out[i] = a[in[i] & 31u];
}
