// Strided stores that together leave no gap.
// ALL: store, interleaved
// ALL: store, interleaved
// X86-NOT: vpscatter
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  out[2u * i] = in[i];
  out[2u * i + 1u] = in[i + 1u];
}
