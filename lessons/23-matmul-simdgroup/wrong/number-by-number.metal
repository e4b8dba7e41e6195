#include <metal_stdlib>
using namespace metal;

// Right, but 64 dot products by 32 threads, number by number.
kernel void matmul(device const float *a [[buffer(0)]],
                   device const float *b [[buffer(1)]],
                   device float       *c [[buffer(2)]],
                   constant uint &m [[buffer(3)]],
                   constant uint &n [[buffer(4)]],
                   constant uint &k [[buffer(5)]],
                   uint2 group [[threadgroup_position_in_grid]],
                   uint lane   [[thread_index_in_threadgroup]]) {
  for (uint e = lane; e < 64; e += 32) {
    uint row = group.y * 8 + e / 8, column = group.x * 8 + e % 8;
    float sum = 0;
    for (uint i = 0; i < k; i++) sum += a[row * k + i] * b[i * n + column];
    c[row * n + column] = sum;
  }
}
