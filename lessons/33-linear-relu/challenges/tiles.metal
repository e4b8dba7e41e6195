#include <metal_stdlib>
using namespace metal;

kernel void layer(device const float *x [[buffer(0)]],
                  device const float *w [[buffer(1)]],
                  device const float *b [[buffer(2)]],
                  device float       *y [[buffer(3)]],
                  constant uint &rows    [[buffer(4)]],
                  constant uint &inputs  [[buffer(5)]],
                  constant uint &outputs [[buffer(6)]],
                  uint2 at [[thread_position_in_grid]],
                  uint2 t  [[thread_position_in_threadgroup]]) {
  threadgroup float tx[16][16], tw[16][16];
  uint row = at.y, column = at.x;
  float sum = 0;
  for (uint first = 0; first < inputs; first += 16) {
    uint i = first + t.x, j = first + t.y;
    tx[t.y][t.x] = row < rows && i < inputs ? x[row * inputs + i] : 0;
    tw[t.y][t.x] = j < inputs && column < outputs ? w[j * outputs + column] : 0;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint k = 0; k < 16; k++) sum += tx[t.y][k] * tw[k][t.x];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (row < rows && column < outputs)
    y[row * outputs + column] = max(sum + b[column], 0.0f);
}
