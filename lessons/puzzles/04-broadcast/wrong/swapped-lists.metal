#include <metal_stdlib>
using namespace metal;

kernel void table(device const float *a [[buffer(0)]],
                  device const float *b [[buffer(1)]],
                  device float       *t [[buffer(2)]],
                  uint2 p    [[thread_position_in_grid]],
                  uint2 size [[threads_per_grid]]) {
  t[p.y * size.x + p.x] = a[p.x] + b[p.y];
}
