// section: 5.2 Function Arguments and Variables
// construct: the parts of a position agree
// groups: 3
// group: 40
// out: out uint 120*1
#include <metal_stdlib>
using namespace metal;

kernel void test(device uint *out [[buffer(0)]], uint i [[thread_position_in_grid]],
                 uint t [[thread_position_in_threadgroup]], uint g [[threadgroup_position_in_grid]],
                 uint n [[threads_per_threadgroup]], uint lane [[thread_index_in_simdgroup]],
                 uint sg [[simdgroup_index_in_threadgroup]], uint w [[threads_per_simdgroup]],
                 uint groups [[threadgroups_per_grid]]) {
  bool ok = i == g * n + t && t == sg * w + lane && groups == 3 && n == 40 && w == 32;
  out[i] = ok ? 1 : 0;
}
