// CUDA's lanes are counted modulo 32; here lane 32 is none.
// run: --grid 32 --group 32 --arg x=int[32] --arg y=int[32]
#include <metal_stdlib>
using namespace metal;

kernel void rotate(device const int *x [[buffer(0)]],
                   device int *y [[buffer(1)]],
                   ushort lane [[thread_index_in_simdgroup]]) {
#ifdef FIXED
  y[lane] = simd_shuffle(x[lane], (lane + 1) % 32);
#else
  y[lane] = simd_shuffle(x[lane], lane + 1); // !inactive-lane
#endif
}
