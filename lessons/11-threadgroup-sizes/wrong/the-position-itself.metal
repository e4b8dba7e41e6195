#include <metal_stdlib>
using namespace metal;

kernel void fill_positions(device uint *out [[buffer(0)]],
                           constant uint &n [[buffer(1)]],
                           uint i [[thread_position_in_grid]]) {
  if (i < n) out[i] = 10 * i + 7;
}
