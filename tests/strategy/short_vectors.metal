// A uint4 of each lane from anywhere: sixteen bytes of each lane, transposed.
// ALL: load, short vector of each lane
// X86-NOT: vgather
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  uint4 v = ((device const uint4 *)in)[in[i] & 1023u];
  out[i] = v.x ^ v.y * 3u ^ v.z * 5u ^ v.w * 7u;
}
