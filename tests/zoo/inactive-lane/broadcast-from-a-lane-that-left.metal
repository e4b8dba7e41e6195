// Lane 0 is not in the branch that asks for its value.
// run: --grid 32 --group 32 --arg x=float[32] --arg y=float[32]
#include <metal_stdlib>
using namespace metal;

kernel void relative(device const float *x [[buffer(0)]],
                     device float *y [[buffer(1)]],
                     uint lane [[thread_index_in_simdgroup]]) {
  float v = x[lane];
#ifdef FIXED
  float first = simd_broadcast(v, 0);
  y[lane] = lane > 0 ? v - first : 0;
#else
  float r = 0;
  if (lane > 0) r = v - simd_broadcast(v, 0); // !inactive-lane
  y[lane] = r;
#endif
}
