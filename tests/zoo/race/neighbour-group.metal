// A group reads the total that another group of the same launch wrote.
// run: --grid 128 --group 32 --arg x=float[128] --arg totals=float[4] --arg y=float[128]
#include <metal_stdlib>
using namespace metal;

kernel void carry(device const float *x [[buffer(0)]],
                  device float *totals [[buffer(1)]],
                  device float *y [[buffer(2)]],
                  uint i [[thread_position_in_grid]],
                  uint lane [[thread_index_in_simdgroup]],
                  uint g [[threadgroup_position_in_grid]]) {
  float inside = simd_prefix_inclusive_sum(x[i]);
  if (lane == 31) totals[g] = inside; // !race
  threadgroup_barrier(mem_flags::mem_device);
#ifdef FIXED
  y[i] = inside; // a second launch adds the totals
#else
  float before = 0;
  for (uint k = 0; k < g; k++) before += totals[k]; // !race
  y[i] = before + inside;
#endif
}
