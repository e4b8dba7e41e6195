// The product and the store stand in a branch that some lanes do not take.
// run: --grid 64 --group 64 --arg in=half[64] --arg out=float[64]
#include <metal_stdlib>
using namespace metal;

kernel void square(device const half *in [[buffer(0)]],
                   device float *out [[buffer(1)]],
                   uint t [[thread_index_in_threadgroup]]) {
  simdgroup_half8x8 a;
  simdgroup_float8x8 sum = simdgroup_float8x8(0.0f);
  simdgroup_load(a, in, 8);
  out[t] = 0;
  threadgroup_barrier(mem_flags::mem_device);
#ifdef FIXED
  if (t < 32) {
#else
  if (t < 20) {
#endif
    simdgroup_multiply_accumulate(sum, a, a, sum); // !inactive-lane
    simdgroup_store(sum, out, 8);                  // !inactive-lane
  }
}
