// A group of 20 has no lane 20.
// run: --grid 20 --group 20 --arg x=float[20] --arg o=float[20]
#include <metal_stdlib>
using namespace metal;

kernel void k(device const float *x, device float *o, uint t [[thread_index_in_simdgroup]]) {
#ifdef FIXED
  o[t] = simd_shuffle(x[t], (t + 1) % 20);
#else
  o[t] = simd_shuffle(x[t], (t + 1) % 32); // !inactive-lane
#endif
}
