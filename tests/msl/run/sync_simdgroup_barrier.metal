// section: 6.9.1 Threadgroup and SIMD-Group Synchronization Functions
// construct: simdgroup_barrier orders threadgroup memory of one SIMD-group
// grid: 64
// group: 32, 64
// in: a uint 0..63
// out: out uint 31..0 63..32
#include <metal_stdlib>
using namespace metal;

kernel void test(device const uint *a [[buffer(0)]], device uint *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]], uint lane [[thread_index_in_simdgroup]],
                 uint sg [[simdgroup_index_in_threadgroup]]) {
  threadgroup uint tile[2][32];
  tile[sg][lane] = a[i];
  simdgroup_barrier(mem_flags::mem_threadgroup);
  out[i] = tile[sg][31 - lane];
}
