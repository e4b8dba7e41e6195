#include <metal_stdlib>
using namespace metal;

kernel void attention(device const float4 *q [[buffer(0)]],
                      device const float4 *k [[buffer(1)]],
                      device const float4 *v [[buffer(2)]],
                      device float4       *o [[buffer(3)]],
                      constant uint       &n [[buffer(4)]],
                      uint i [[thread_position_in_grid]]) {
  float most = -INFINITY, sum = 0;
  for (uint j = 0; j < n; j++)
    most = max(most, dot(q[2 * i], k[2 * j]) + dot(q[2 * i + 1], k[2 * j + 1]));
  float4 first = 0, second = 0;
  for (uint j = 0; j < n; j++) {
    float weight =
        exp(dot(q[2 * i], k[2 * j]) + dot(q[2 * i + 1], k[2 * j + 1]) - most);
    sum += weight;
    first += weight * v[2 * j];
    second += weight * v[2 * j + 1];
  }
  o[2 * i] = first / sum;
  o[2 * i + 1] = second / sum;
}
