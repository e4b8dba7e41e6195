// Two operations for three accesses: memory is all that it waits for, and many
// CPUs of this kind run slower with registers of 64 bytes.
// ALL: 2 loads, contiguous
// ALL: store, contiguous
// AVX512: ymm
// AVX512-NOT: zmm
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  out[i] = in[i] * 3u + in[i + 1000u];
}
