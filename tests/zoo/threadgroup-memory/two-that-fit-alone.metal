// Each of the two tiles fits, both together do not.
// run: --grid 256 --group 256 --arg a=float[5000] --arg b=float[5000] --arg c=float[256]
#include <metal_stdlib>
using namespace metal;

#ifdef FIXED
#define COUNT 4000
#else
#define COUNT 5000
#endif

kernel void dot(device const float *a [[buffer(0)]], // !threadgroup-memory
                device const float *b [[buffer(1)]],
                device float *c [[buffer(2)]],
                uint t [[thread_position_in_threadgroup]]) {
  threadgroup float as[COUNT], bs[COUNT];
  for (uint k = t; k < COUNT; k += 256) {
    as[k] = a[k];
    bs[k] = b[k];
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float sum = 0;
  for (uint k = t; k < COUNT; k += 256) sum += as[COUNT - 1 - k] * bs[k];
  c[t] = sum;
}
