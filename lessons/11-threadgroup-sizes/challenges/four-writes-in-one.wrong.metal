// wrong: the first of four is element 4 i
#include <metal_stdlib>
using namespace metal;

kernel void fill_positions(device uint4 *out [[buffer(0)]],
                           constant uint &n  [[buffer(1)]],
                           uint local [[thread_position_in_threadgroup]],
                           uint group [[threadgroup_position_in_grid]],
                           uint size  [[threads_per_threadgroup]]) {
  uint i = group * size + local;
  if (i < n / 4) out[i] = 10 * i + uint4(7, 17, 27, 37);
}
