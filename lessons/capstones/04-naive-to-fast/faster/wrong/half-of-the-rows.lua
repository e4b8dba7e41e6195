mine = answer "choose"

fast = gpu.kernel [=[
#include <metal_stdlib>
using namespace metal;
kernel void rows(device const float *x, device float *y,
                 constant uint &columns,
                 uint row [[threadgroup_position_in_grid]],
                 uint lane [[thread_index_in_simdgroup]]) {
  float sum = 0;
  for (uint i = lane; i < columns; i += 32) sum += x[row * columns + i];
  sum = simd_sum(sum);
  if (lane == 0) y[row] = sum;
}]=]
fast_launch = {x = mine.x, y = mine.y, columns = mine.columns,
  groups = mine.rows // 2, group = 32}
