// n rows have n + 1 ends; the buffer has n.
// run: --grid 10 --group 10 --arg rows=uint[10]:iota --arg val=float[20] --arg y=float[10]
// fixed: --grid 9 --group 9 --arg rows=uint[10]:iota --arg val=float[20] --arg y=float[9]
#include <metal_stdlib>
using namespace metal;

kernel void k(device const uint *rows, device const float *val, device float *y, uint i [[thread_position_in_grid]]) {
  float s = 0;
  for (uint j = rows[i]; j < rows[i + 1]; j++) s += val[j]; // !out-of-bounds
  y[i] = s;
}
