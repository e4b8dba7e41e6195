// Each lane writes at its own number, then the matrix is loaded: a lane loads
// what others wrote.
// run: --grid 32 --group 32 --arg in=half[64] --arg out=half[64]
#include <metal_stdlib>
using namespace metal;

kernel void gather(device const half *in [[buffer(0)]],
                   device half *out [[buffer(1)]],
                   uint lane [[thread_index_in_simdgroup]]) {
  threadgroup half s[64];
  s[lane] = in[lane];           // !race
  s[lane + 32] = in[lane + 32]; // !race
#ifdef FIXED
  simdgroup_barrier(mem_flags::mem_threadgroup);
#endif
  simdgroup_half8x8 m;
  simdgroup_load(m, s, 8); // !race
  simdgroup_store(m, out, 8);
}
