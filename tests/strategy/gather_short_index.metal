// Indices of 32 bits, which serve sixteen lanes of a gather and not eight: a
// uint of any size, an int below zero, a sum, a place behind the index, and an
// index that a loop carries.
// ALL: load, gather: its index is loaded
// AVX512: vpgatherdd
// AVX512-NOT: vpgatherqd
// AVX512: vpscatterdd
// AVX512-NOT: vpscatterqd
// SSE42-NOT: vpgather
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  uint a = in[in[i] >> 18 & 4095u];
  uint b = (in + 5000)[int(a & 8191u) - 4096];
  uint c = in[(a & 255u) + (b & 1023u) + 7u];
  for (uint at = c; (at & 7u) != 0; at = in[(at & 2047u) * 4u]) c += at;
  out[(i & ~1023u) + (1023u - (i * 5u & 1023u))] = c;
}
