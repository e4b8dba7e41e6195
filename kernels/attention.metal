#include <metal_stdlib>
using namespace metal;

// out = softmax(q · kᵀ / √D) · v, one row of q per thread, in one pass over k
// and v. The softmax is made "online": when a score larger than all before
// turns up, what was summed so far is scaled down. So the matrix of scores,
// rows × keys, never exists.
#define D 64  // columns of q, k and v

kernel void attention(device const float *q   [[buffer(0)]],
                      device const float *k   [[buffer(1)]],
                      device const float *v   [[buffer(2)]],
                      device float       *out [[buffer(3)]],
                      constant uint &rows [[buffer(4)]],  // of q and out
                      constant uint &keys [[buffer(5)]],  // rows of k and v
                      uint row [[thread_position_in_grid]]) {
  if (row >= rows) return;
  float query[D], sum[D];
  for (uint i = 0; i < D; i++) {
    query[i] = q[row * D + i];
    sum[i] = 0;
  }
  float largest = -INFINITY, total = 0;
  for (uint j = 0; j < keys; j++) {
    float score = 0;
    for (uint i = 0; i < D; i++) score += query[i] * k[j * D + i];
    score *= 0.125f;  // 1 / √64

    float now = max(largest, score);
    float shrink = exp(largest - now);  // 1 unless the maximum grew
    float weight = exp(score - now);
    total = total * shrink + weight;
    for (uint i = 0; i < D; i++)
      sum[i] = sum[i] * shrink + weight * v[j * D + i];
    largest = now;
  }
  for (uint i = 0; i < D; i++) out[row * D + i] = sum[i] / total;
}
