#include <metal_stdlib>
using namespace metal;

kernel void fill_positions(device uint *out [[buffer(0)]],
                           constant uint &n [[buffer(1)]],
                           ushort local [[thread_index_in_threadgroup]],
                           uint group [[threadgroup_position_in_grid]],
                           uint size [[dispatch_threads_per_threadgroup]]) {
  uint i = mad24(group, size, uint(local));
  if (i < n) out[i] = 10 * i + 7;
}
