// The fields of a struct are loaded one by one: the first load brings all.
// ALL: loads, short vector of each lane
#include <metal_stdlib>
using namespace metal;
struct Four { uint a, b, c, d; };
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  device const Four &f = ((device const Four *)in)[in[i] & 1023u];
  out[i] = f.a ^ f.b * 3u ^ f.c * 5u ^ f.d * 7u;
}
