// section: 6.7 SIMD-Group Matrix Functions
// construct: matrices in threadgroup memory
// grid: 32
// group: 32
// in: a float 0 5 3 1 6 4 2 0 3 1 6 4 2 0 5 3 6 4 2 0 5 3 1 6 2 0 5 3 1 6 4 2 5 3 1 6 4 2 0 5 1 6
//   4 2 0 5 3 1 4 2 0 5 3 1 6 4 0 5 3 1 6 4 2 0
// out: out float 0 10 6 2 12 8 4 0 6 2 12 8 4 0 10 6 12 8 4 0 10 6 2 12 4 0 10 6 2 12 8 4 10 6 2
//   12 8 4 0 10 2 12 8 4 0 10 6 2 8 4 0 10 6 2 12 8 0 10 6 2 12 8 4 0
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]], device float *out [[buffer(1)]],
                 uint t [[thread_index_in_threadgroup]]) {
  threadgroup float tile[64];
  tile[t] = a[t] * 2;
  tile[t + 32] = a[t + 32] * 2;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  simdgroup_float8x8 x;
  simdgroup_load(x, tile, 8);
  simdgroup_store(x, out, 8);
}
