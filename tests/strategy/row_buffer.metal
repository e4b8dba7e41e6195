// Each lane goes along a row of its own: a transposed buffer.
// ALL: load, row buffer
// ALL: mt_transpose_in
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  uint s = 0;
  for (uint j = 0; j < n; j++) s = (s ^ in[i * n + j]) * (s | 1u);
  out[i] = s;
}
