// Six words of each thread, read and written one after the other: what is read
// in between are other words of the thread's own.
// ALL: line 14: 6 stores, interleaved
// X86-NOT: vpscatter
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  device uint *own = out + 6 * i;
  own[0] = in[i], own[5] = n;
  for (uint k = 0; k < 6; k++)
    own[k] = own[k] | (n + k);
}
