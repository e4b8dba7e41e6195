// A private array with the same index in all lanes: a vector access.
// ALL: store, private array
// ALL: load, private array
// X86-NOT: vpgather
// X86-NOT: vgather
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  uint a[32], s = 0;
  for (uint j = 0; j < n; j++) a[j & 31u] = in[i + j];
  for (uint j = 0; j < n; j++) s = s * 3u + a[n - j & 31u];
  out[i] = s;
}
