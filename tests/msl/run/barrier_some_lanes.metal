// section: 6.9.1 Threadgroup and SIMD-Group Synchronization Functions
// construct: a barrier that one lane of each SIMD-group reaches, as GPUs allow it
// groups: 2
// group: 32, 64, 256, 1024, 32 8
// repeats: no
// in: a uint 0..63
// out: b uint 2*2016 30*0
#include <metal_stdlib>
using namespace metal;

kernel void test(device const uint *a [[buffer(0)]], device uint *b [[buffer(1)]],
                 uint g [[threadgroup_position_in_grid]], uint lane [[thread_index_in_simdgroup]],
                 uint s [[simdgroup_index_in_threadgroup]], uint n [[simdgroups_per_threadgroup]]) {
  threadgroup uint sums[32];
  uint sum = 0;
  for (uint i = s * 32 + lane; i < 64; i += n * 32) sum += a[i];
  sum = simd_sum(sum);
  if (lane % 32 == 0) {
    uint mine = sum;
    sums[s] = mine;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (s == 0) {
      for (uint k = 1; k < n; k++) mine += sums[k];
      b[g] = mine;
    }
  }
}
