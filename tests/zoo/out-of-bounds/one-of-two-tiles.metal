// A pointer to one of two tiles, which a function reads one place too far: for
// the first tile that is the second one.
// run: --grid 64 --group 32 --arg out=float[64]
#include <metal_stdlib>
using namespace metal;

static float next_to(threadgroup const float *p, uint k) {
#ifdef FIXED
  return p[k < 31 ? k + 1 : k];
#else
  return p[k + 1]; // !out-of-bounds
#endif
}

kernel void pick(device float *out [[buffer(0)]],
                 uint i [[thread_position_in_grid]],
                 uint t [[thread_index_in_threadgroup]]) {
  threadgroup float a[32], b[32];
  a[t] = t;
  b[t] = 2 * t;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[i] = next_to((t & 1) ? a : b, t);
}
