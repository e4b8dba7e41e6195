// section: 6.9.1 Threadgroup and SIMD-Group Synchronization Functions
// construct: threadgroup_barrier orders threadgroup memory
// grid: 64
// group: 64
// in: a float 0..63
// out: out float 63..0
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]], device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]], uint t [[thread_index_in_threadgroup]]) {
  threadgroup float tile[64];
  tile[t] = a[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[i] = tile[63 - t];
}
