// wrong: even and odd exchanged
#include <metal_stdlib>
using namespace metal;

kernel void even_odd(device const float *x [[buffer(0)]],
                     device float       *y [[buffer(1)]],
                     constant uint      &n [[buffer(2)]],
                     uint group [[threadgroup_position_in_grid]],
                     uint t     [[thread_position_in_threadgroup]]) {
  uint i = group * 64 + t;
  if (i >= n) return;
  // 0.5^16 v + 2 (1 - 0.5^16), and 0.9^16 v - (1 - 0.9^16)
  float2 line = i % 2 == 1 ? float2(1.52587890625e-5f, 1.999969482421875f)
                           : float2(0.18530201888518f, -0.81469798111482f);
  y[i] = fma(line.x, x[i], line.y);
}
