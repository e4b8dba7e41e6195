// Vectors that start before the first thread of a row have lanes below zero:
// clamped neighbours, branches and numbers of the others are right.
// GROUP: 32 8
// WIDE: ragged
// ALL: contiguous
// AVX512: store, at whose cache lines the vectors of a row start
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in, device uint *out, constant uint &n,
              uint3 at [[thread_position_in_grid]],
              uint3 size [[threads_per_grid]]) {
  uint row = size.x + 3, first = (at.z * size.y + at.y) * row;
  uint i = first + at.x + 2;
  uint x = in[first + max(at.x, 1u) - 1] + in[first + min(at.x + 1, n)] +
           in[i] + in[i + 1] + in[i + 2] + in[i + row] + in[i + 2 * row] +
           (at.x & 31) + in[(at.x - 7) % 61];
  if (at.x >= 5) x += in[first + at.x - 5];
  if (at.x < n && at.x >= 3) x ^= in[at.x - 3] + uint(float(at.x) * 0.37f);
  out[i] = x + at.x / 3;
}
