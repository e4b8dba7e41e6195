// && does not evaluate its right side for lanes whose left side is false.
// run: --grid 32 --group 32 --arg x=float[32] --arg peak=uchar[32]
#include <metal_stdlib>
using namespace metal;

kernel void peaks(device const float *x [[buffer(0)]],
                  device uchar *peak [[buffer(1)]],
                  uint lane [[thread_index_in_simdgroup]]) {
  float v = x[lane];
#ifdef FIXED
  float left = simd_shuffle_up(v, 1), right = simd_shuffle_down(v, 1);
  peak[lane] = lane > 0 && lane < 31 && v > left && v > right;
#else
  peak[lane] = lane > 0 && lane < 31 && v > simd_shuffle_up(v, 1) // !inactive-lane
               && v > simd_shuffle_down(v, 1); // !inactive-lane
#endif
}
