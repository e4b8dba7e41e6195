// A scan in two tiles that change places, with a barrier too few.
// run: --grid 64 --group 64 --arg in=float[64] --arg out=float[64]
#include <metal_stdlib>
using namespace metal;

kernel void scan(device const float *in [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint t [[thread_index_in_threadgroup]]) {
  threadgroup float a[64], b[64];
  threadgroup float *from = a, *to = b;
  a[t] = in[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint far = 1; far < 64; far *= 2) {
    to[t] = from[t] + (t >= far ? from[t - far] : 0); // !race
#ifdef FIXED
    threadgroup_barrier(mem_flags::mem_threadgroup);
#else
    if (far != 4) threadgroup_barrier(mem_flags::mem_threadgroup);
#endif
    threadgroup float *last = from;
    from = to;
    to = last;
  }
  out[t] = from[t];
}
