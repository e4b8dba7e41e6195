// section: 6.9.1 Threadgroup and SIMD-Group Synchronization Functions
// construct: mem_flags combined
// grid: 32
// group: 32
// out: out uint 1..31 0
#include <metal_stdlib>
using namespace metal;

kernel void test(device uint *out [[buffer(0)]], uint t [[thread_index_in_threadgroup]]) {
  threadgroup uint tile[32];
  tile[t] = t;
  threadgroup_barrier(mem_flags::mem_threadgroup | mem_flags::mem_device);
  out[t] = tile[(t + 1) % 32];
}
