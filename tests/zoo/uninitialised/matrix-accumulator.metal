// The accumulator of a product starts with nothing in it.
// run: --grid 32 --group 32 --arg a=float[64] --arg b=float[64] --arg c=float[64]
#include <metal_stdlib>
using namespace metal;

kernel void k(device const float *a, device const float *b, device float *c) {
  simdgroup_float8x8 ma, mb;
#ifdef FIXED
  simdgroup_float8x8 mc = make_filled_simdgroup_matrix<float, 8, 8>(0);
#else
  simdgroup_float8x8 mc;
#endif
  simdgroup_load(ma, a, 8);
  simdgroup_load(mb, b, 8);
  simdgroup_multiply_accumulate(mc, ma, mb, mc); // !uninitialised
  simdgroup_store(mc, c, 8); // !uninitialised
}
