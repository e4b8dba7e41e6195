// An index that the position decides by no rule that is known: compared with a
// run where a gather is one instruction, else gathered at once.
// AVX512: load, contiguous if a run-time test says so
// AVX512: its index follows no known pattern
// AVX2: load, contiguous if a run-time test says so
// AVX2: its index follows no known pattern
// SSE42: load, gather: its index follows no known pattern
// NEON: load, gather: its index follows no known pattern
// ALL-NOT: its index is loaded
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  out[i] = in[((i * i + n) & 4095u) ^ (i >> 3)];
}
