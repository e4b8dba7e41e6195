// A simdgroup_barrier that only the even lanes come to.
// run: --grid 32 --group 32 --arg x=int[32] --arg y=int[32]
#include <metal_stdlib>
using namespace metal;

kernel void evens(device const int *x [[buffer(0)]],
                  device int *y [[buffer(1)]],
                  uint lane [[thread_index_in_simdgroup]]) {
  threadgroup int s[32];
  s[lane] = x[lane];
#ifdef FIXED
  simdgroup_barrier(mem_flags::mem_threadgroup);
  y[lane] = lane % 2 == 0 ? s[lane + 1] : 0;
#else
  int v = 0;
  if (lane % 2 == 0) {
    s[lane] += 1;
    simdgroup_barrier(mem_flags::mem_threadgroup); // !divergent-barrier
    v = s[lane];
  }
  y[lane] = v;
#endif
}
