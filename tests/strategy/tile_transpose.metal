// Rows to columns: a tile is transposed in registers.
// GROUP: 16 16
// ALL: store, tile transpose
// X86-NOT: vpscatter
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint2 p [[thread_position_in_grid]]) {
  out[p.x * n + p.y] = in[p.y * n + p.x];
}
