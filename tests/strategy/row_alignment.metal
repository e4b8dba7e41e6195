// The rows of a stencil start in the middle of a cache line: where there are
// mask registers, their vectors start at the line that the first thread stores
// to. No mask is asked whether all lanes are active.
// GROUP: 32 8
// WIDE: ragged
// ALL: 4 loads, contiguous
// AVX512: line 19: store, at whose cache lines the vectors of a row start
// AVX512-NOT: $-1,
// AVX2-NOT: at whose cache lines
// SSE42-NOT: at whose cache lines
// NEON-NOT: at whose cache lines
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in, device uint *out, constant uint &n,
              uint3 at [[thread_position_in_grid]],
              uint3 size [[threads_per_grid]]) {
  uint row = size.x + 2;
  uint i = (at.z * size.y + at.y + 1) * row + at.x + 1;
  out[i] = in[i - 1] + 3 * in[i] + 5 * in[i + 1] + 7 * in[i - row] +
           11 * in[i + row] + 13 * in[i + 2 * row] - out[i] * n;
}
