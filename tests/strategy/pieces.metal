// Rows of a group 16 wide: two contiguous accesses, no gather.
// GROUP: 16 4
// ALL: load, contiguous in pieces
// ALL: store, contiguous in pieces
// X86-NOT: vpgather
// X86-NOT: vgather
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint2 p [[thread_position_in_grid]]) {
  out[p.y * n + p.x] = in[p.y * n + p.x] + 1u;
}
