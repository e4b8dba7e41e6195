// The number of blocks is rounded down in all three dimensions.
// run: --groups 2,2,2 --group 4,4,4 --arg o=float[810] --arg s=9,9,10
// fixed: --groups 3,3,3 --group 4,4,4 --arg o=float[810] --arg s=9,9,10
#include <metal_stdlib>
using namespace metal;

kernel void k(device float *o, constant uint3 &s, uint3 p [[thread_position_in_grid]]) {
  if (any(p >= s)) return;
  o[(p.z * s.y + p.y) * s.x + p.x] = p.x + 10 * p.y; // !coverage
}
