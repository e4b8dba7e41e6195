// A matrix is stored, and each lane reads what lies at its own number: no lane
// knows which elements it has stored itself.
// run: --grid 32 --group 32 --arg out=float[64]
#include <metal_stdlib>
using namespace metal;

kernel void spread(device float *out [[buffer(0)]],
                   uint lane [[thread_index_in_simdgroup]]) {
  threadgroup float s[64];
  simdgroup_float8x8 m = simdgroup_float8x8(2.0f);
  simdgroup_store(m, s, 8); // !race
#ifdef FIXED
  simdgroup_barrier(mem_flags::mem_threadgroup);
#endif
  out[lane] = s[lane];           // !race
  out[lane + 32] = s[lane + 32]; // !race
}
