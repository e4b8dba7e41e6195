// A shared array lives across barriers.
// ALL: loads, uniform
// ALL-NOT: private array
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]],
              uint t [[thread_index_in_threadgroup]]) {
  threadgroup uint all[256];
  uint order[8];
  for (uint j = 0; j < 8u; j++) order[j] = (j * n) & 7u;
  uint sum = 0;
  for (uint j = 0; j < n; j++) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    all[t] = in[i] + j;
    order[j & 7u] ^= order[n & 7u] & 7u;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    sum += all[(t ^ order[(j + 1u) & 7u]) & 31u];
  }
  out[i] = sum;
}
