// section: 4 Address Spaces
// construct: threadgroup memory given by the launch
// grid: 32
// group: 32
// threadgroup: 128
// in: a float 0..31
// out: out float 31..0
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]], device float *out [[buffer(1)]],
                 threadgroup float *tile [[threadgroup(0)]], uint t [[thread_index_in_threadgroup]]) {
  tile[t] = a[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[t] = tile[31 - t];
}
