// Lanes go round the loop differently often, and ask lanes that have finished.
// run: --grid 32 --group 32 --arg lengths=uint[32]:iota --arg out=uint[32]
#include <metal_stdlib>
using namespace metal;

kernel void walk(device const uint *lengths [[buffer(0)]],
                 device uint *out [[buffer(1)]],
                 ushort lane [[thread_index_in_simdgroup]]) {
  uint sum = 0, n = lengths[lane];
#ifdef FIXED
  for (uint k = 0; k < 32; k++) {
    uint from = simd_shuffle(n, ushort(k));
    if (k < n) sum += from;
  }
#else
  for (uint k = 0; k < n; k++)
    sum += simd_shuffle(n, ushort(k)); // !inactive-lane
#endif
  out[lane] = sum;
}
