// section: 6.9.1 Threadgroup and SIMD-Group Synchronization Functions
// construct: barriers in a loop: a tree sum
// groups: 2
// group: 64
// in: a float 0..127
// out: out float 2016 6112
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]], device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]], uint t [[thread_index_in_threadgroup]],
                 uint g [[threadgroup_position_in_grid]]) {
  threadgroup float part[64];
  part[t] = a[i];
  for (uint n = 32; n > 0; n /= 2) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (t < n) part[t] += part[t + n];
  }
  if (t == 0) out[g] = part[0];
}
