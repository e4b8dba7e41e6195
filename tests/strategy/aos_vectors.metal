// A uint4 of each lane, one after the other: wide accesses and shuffles.
// ALL: load, interleaved
// ALL: store, interleaved
// X86-NOT: vpgather
// X86-NOT: vgather
// X86-NOT: vpscatter
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  uint4 v = ((device const uint4 *)in)[i];
  ((device uint4 *)out)[i] = v.wzyx * 3u + v.x;
}
