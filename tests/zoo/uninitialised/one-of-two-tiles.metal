// One of two tiles is never filled.
// run: --grid 64 --group 32 --arg out=float[64]
#include <metal_stdlib>
using namespace metal;

kernel void pick(device float *out [[buffer(0)]],
                 uint i [[thread_position_in_grid]],
                 uint t [[thread_index_in_threadgroup]]) {
  threadgroup float a[32], b[32];
  a[t] = t;
#ifdef FIXED
  b[t] = 2 * t;
#endif
  threadgroup_barrier(mem_flags::mem_threadgroup);
  threadgroup float *p = (t & 1) ? a : b;
  out[i] = p[31 - t]; // !uninitialised
}
