// One SIMD-group loads a matrix that another is writing.
// run: --grid 64 --group 64 --arg a=float[64] --arg c=float[128]
#include <metal_stdlib>
using namespace metal;

kernel void k(device const float *a, device float *c, uint sg [[simdgroup_index_in_threadgroup]],
              uint t [[thread_index_in_threadgroup]]) {
  threadgroup float tile[64];
  tile[t] = a[t]; // !race
#ifdef FIXED
  threadgroup_barrier(mem_flags::mem_threadgroup);
#endif
  simdgroup_float8x8 m;
  simdgroup_load(m, tile, 8); // !race
  simdgroup_store(m, c + 64 * sg, 8);
}
