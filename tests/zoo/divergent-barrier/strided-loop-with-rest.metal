// 100 rows over 64 threads: in the second round only 36 come to the barrier.
// run: --grid 64 --group 64 --arg m=float[400] --arg sums=float[100] --arg rows=100
#include <metal_stdlib>
using namespace metal;

kernel void row_sums(device const float *m [[buffer(0)]],
                     device float *sums [[buffer(1)]],
                     constant uint &rows [[buffer(2)]],
                     uint t [[thread_position_in_threadgroup]],
                     uint size [[threads_per_threadgroup]]) {
  threadgroup float4 s[64];
#ifdef FIXED
  for (uint base = 0; base < rows; base += size) {
    uint row = base + t;
    s[t] = row < rows ? ((device const float4 *)m)[row] : 0;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (row < rows) sums[row] = s[t].x + s[t].y + s[t].z + s[t].w;
  }
#else
  for (uint row = t; row < rows; row += size) {
    s[t] = ((device const float4 *)m)[row];
    threadgroup_barrier(mem_flags::mem_threadgroup); // !divergent-barrier
    sums[row] = s[t].x + s[t].y + s[t].z + s[t].w;
  }
#endif
}
