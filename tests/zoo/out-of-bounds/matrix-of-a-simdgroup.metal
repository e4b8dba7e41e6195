// The last rows of an 8 x 8 block lie behind the buffer.
// run: --grid 32 --group 32 --arg a=float[100] --arg c=float[100]
#include <metal_stdlib>
using namespace metal;

kernel void k(device const float *a, device float *c) {
  simdgroup_float8x8 m;
#ifdef FIXED
  simdgroup_load(m, a, 10);
  simdgroup_store(m, c, 8);
  for (uint i = 64; i < 100; i++) c[i] = 0;
#else
  simdgroup_load(m, a + 30, 10); // !out-of-bounds
  simdgroup_store(m, c, 8);
  for (uint i = 64; i < 100; i++) c[i] = 0;
#endif
}
