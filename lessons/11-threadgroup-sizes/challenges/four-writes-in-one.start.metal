#include <metal_stdlib>
using namespace metal;

kernel void fill_positions(device uint *out [[buffer(0)]],
                           constant uint &n [[buffer(1)]],
                           uint local  [[thread_position_in_threadgroup]],
                           uint group  [[threadgroup_position_in_grid]],
                           uint size   [[threads_per_threadgroup]],
                           uint groups [[threadgroups_per_grid]]) {
  for (uint i = group * size + local; i < n; i += size * groups)
    out[i] = 10 * i + 7;
}
