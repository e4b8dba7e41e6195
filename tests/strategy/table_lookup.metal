// Tables of constants, of bytes, halves, words and floats in two dimensions, at
// indices that were loaded: they are looked up in registers, also in a branch.
// AVX512: line 22: load, table in registers
// AVX512: line 23: load, table in registers
// AVX512: line 24: load, table in registers
// AVX512: line 25: load, table in registers
// AVX512-NOT: gather
// AVX2: line 22: load, gather
// AVX2: line 23: load, table in registers
// AVX2: line 24: load, table in registers
#include <metal_stdlib>
using namespace metal;
constant uchar letters[40] = {
    'A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J', 'K', 'L', 'M', 'N',
    'O', 'P', 'Q', 'R', 'S', 'T', 'U', 'V', 'W', 'X', 'Y', 'Z', 'a', 'b',
    'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 255};
constant uint powers[12] = {1, 3, 9, 27, 81, 243, 729, 2187, 6561, 19683, 59049,
                            177147};
constant float weights[3][4] = {{0.5, 1.5, -2.5, 3.5}, {4, 5, 6}, {7, 8, 9, 1}};
constant ushort primes[7] = {2, 3, 5, 7, 11, 13, 65521};
static uint of(uint x, device const uint *in, uint i, uint n) {
  uint sum = letters[x % 40];
  sum += powers[x / 64 % 12] * n;
  sum += uint(8.0f * (weights[x / 8 % 3][x % 4] + 10.0f));
  if (x & 1) sum ^= primes[x / 2 % 7];
  return sum;
}
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  out[i] = of(in[i], in, i, n);
}
