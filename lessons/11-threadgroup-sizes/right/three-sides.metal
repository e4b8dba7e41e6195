#include <metal_stdlib>
using namespace metal;

kernel void fill_positions(device uint *out [[buffer(0)]],
                           constant uint &n [[buffer(1)]],
                           uint3 local [[thread_position_in_threadgroup]],
                           uint3 group [[threadgroup_position_in_grid]],
                           uint3 size  [[threads_per_threadgroup]]) {
  uint i = local.x + size.x * group.x;
  if (i >= n) return;
  out[i] = 7 + i * 10;
}
