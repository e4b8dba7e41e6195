// Descending addresses are a contiguous access and a reversal.
// ALL: load, contiguous
// X86-NOT: vpgather
// X86-NOT: vgather
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  out[i] = in[40000u - i];
}
