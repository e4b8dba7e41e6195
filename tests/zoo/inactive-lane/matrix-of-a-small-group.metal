// A threadgroup of 16 threads has half of each matrix.
// run: --grid 16 --group 16 --arg out=float[64]
// fixed: --grid 32 --group 32 --arg out=float[64]
// also: coverage
#include <metal_stdlib>
using namespace metal;

kernel void ones(device float *out [[buffer(0)]]) {
  simdgroup_float8x8 m = make_filled_simdgroup_matrix<float, 8, 8>(1.0f);
  simdgroup_store(m, out, 8); // !inactive-lane
}
