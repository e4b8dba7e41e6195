// wrong: without the sign
#include <metal_stdlib>
using namespace metal;

kernel void normalise(device const float4 *x [[buffer(0)]],
                      device float4       *y [[buffer(1)]],
                      constant uint &length  [[buffer(2)]],
                      constant uint &count   [[buffer(3)]],
                      uint v [[thread_position_in_grid]]) {
  float4 a = x[2 * v], b = x[2 * v + 1], m = max(a, b);
  float largest = max(max(m.x, m.y), max(m.z, m.w));
  float by = largest > 0 ? 1 / largest : 0;
  y[2 * v] = a * by;
  y[2 * v + 1] = b * by;
}
