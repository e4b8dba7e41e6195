// Only the value of the pair is set, and the index is read as well.
// run: --grid 64 --group 64 --arg a=float[64] --arg o=float[64]
#include <metal_stdlib>
using namespace metal;

struct Best { float value; uint index; };
kernel void k(device const float *a, device float *o, uint t [[thread_position_in_threadgroup]]) {
  threadgroup Best b[64];
  b[t].value = a[t];
#ifdef FIXED
  b[t].index = t;
#endif
  threadgroup_barrier(mem_flags::mem_threadgroup);
  o[t] = b[t ^ 1].value + float(b[t ^ 1].index); // !uninitialised
}
