// Products are added to a matrix that nobody has set to zero.
// run: --grid 32 --group 32 --arg a=float[64] --arg c=float[64]
#include <metal_stdlib>
using namespace metal;

kernel void square(device const float *a [[buffer(0)]],
                   device float *c [[buffer(1)]]) {
  simdgroup_float8x8 m, sum;
#ifdef FIXED
  sum = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
#endif
  simdgroup_load(m, a, 8);
  simdgroup_multiply_accumulate(sum, m, m, sum); // !uninitialised
  simdgroup_store(sum, c, 8); // !uninitialised
}
