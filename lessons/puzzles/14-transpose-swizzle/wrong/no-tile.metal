#include <metal_stdlib>
using namespace metal;

kernel void transpose(device const float *a [[buffer(0)]],
                      device float       *b [[buffer(1)]],
                      constant uint      &n [[buffer(2)]],
                      uint2 t [[thread_position_in_threadgroup]],
                      uint2 g [[threadgroup_position_in_grid]]) {
  for (uint r = t.y; r < 32; r += 8)
    b[(g.x * 32 + t.x) * n + g.y * 32 + r] =
        a[(g.y * 32 + r) * n + g.x * 32 + t.x];
}
