// Clamped: contiguous unless a scalar test says otherwise.
// ALL: 2 loads, contiguous if a run-time test says so
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  out[i] = in[min(i + 1u, n)] + in[max(int(i) - 1, 0)];
}
