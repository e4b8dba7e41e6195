// An array that is filled and changed by uniform values; the fill is a memset.
// ALL-NOT: private array
// ALL-NOT: gather
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  uint count[16] = {0};
  for (uint j = 0; j < n; j++) count[j * 7u & 15u] += j;
  out[i] = in[i] + count[n & 15u];
}
