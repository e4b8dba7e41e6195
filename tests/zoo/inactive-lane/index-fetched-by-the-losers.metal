// The largest and where it is: only lanes whose partner has more ask for its
// index, and the partner does not take part.
// run: --grid 32 --group 32 --arg x=float[32]:iota --arg at=uint[32]
#include <metal_stdlib>
using namespace metal;

kernel void largest(device const float *x [[buffer(0)]],
                    device uint *at [[buffer(1)]],
                    uint lane [[thread_index_in_simdgroup]]) {
  float most = x[lane];
  uint where = lane;
  for (ushort d = 16; d > 0; d /= 2) {
    float other = simd_shuffle_xor(most, d);
#ifdef FIXED
    uint its = simd_shuffle_xor(where, d);
    if (other > most) most = other, where = its;
#else
    if (other > most) {
      most = other;
      where = simd_shuffle_xor(where, d); // !inactive-lane
    }
#endif
  }
  at[lane] = where;
}
