// The grid is too small; that the kernel reads one of two tiles has nothing to do
// with it.
// run: --grid 48 --group 16 --arg out=float[64]
// fixed: --grid 64 --group 16 --arg out=float[64]
#include <metal_stdlib>
using namespace metal;

kernel void pick(device float *out [[buffer(0)]],
                 uint i [[thread_position_in_grid]],
                 uint t [[thread_index_in_threadgroup]]) {
  threadgroup float a[16], b[16];
  a[t] = t;
  b[t] = 2 * t;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  threadgroup float *p = (t & 1) ? a : b;
  out[i] = p[15 - t]; // !coverage
}
