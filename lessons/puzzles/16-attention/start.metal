#include <metal_stdlib>
using namespace metal;

// o[i] = sum over j of softmax_j(q[i] . k[j]) * v[j]; q, k, v, o have n rows of
// 8. One thread for each row i; every row of k and v is read once by it.
kernel void attention(device const float4 *q [[buffer(0)]],
                      device const float4 *k [[buffer(1)]],
                      device const float4 *v [[buffer(2)]],
                      device float4       *o [[buffer(3)]],
                      constant uint       &n [[buffer(4)]],
                      uint i [[thread_position_in_grid]]) {
  // your code
}
