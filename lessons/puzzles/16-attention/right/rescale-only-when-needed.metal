#include <metal_stdlib>
using namespace metal;

kernel void attention(device const float4 *q [[buffer(0)]],
                      device const float4 *k [[buffer(1)]],
                      device const float4 *v [[buffer(2)]],
                      device float4       *o [[buffer(3)]],
                      constant uint       &n [[buffer(4)]],
                      uint i [[thread_position_in_grid]]) {
  float most = -INFINITY, sum = 0;
  float4 qa = q[2 * i], qb = q[2 * i + 1], first = 0, second = 0;
  for (uint j = 0; j < n; j++) {
    float score = dot(qa, k[2 * j]) + dot(qb, k[2 * j + 1]);
    if (score > most) {
      float keep = exp(most - score);
      sum *= keep;
      first *= keep;
      second *= keep;
      most = score;
    }
    float weight = exp(score - most);
    sum += weight;
    first = fma(weight, v[2 * j], first);
    second = fma(weight, v[2 * j + 1], second);
  }
  o[2 * i] = first / sum;
  o[2 * i + 1] = second / sum;
}
