#include <metal_stdlib>
using namespace metal;

kernel void find(device const int *x  [[buffer(0)]],
                 device const int *q  [[buffer(1)]],
                 device uint *place   [[buffer(2)]],
                 constant uint &n     [[buffer(3)]],
                 uint i    [[threadgroup_position_in_grid]],
                 uint lane [[thread_index_in_simdgroup]]) {
  uint low = 0, high = n; // the answer lies between, both included
  int wanted = q[i];
  while (low < high) {
    uint length = high - low, part = (length + 32) / 33;
    uint at = low + lane * part; // no lane looks at the last part's end
    bool is_smaller = at < high && x[at] < wanted;
    uint count = simd_sum(uint(is_smaller));
    low += count * part;
    high = min(high, low + part - 1);
  }
  if (lane == 0) place[i] = low;
}
