// Bytes and halves at an index that was loaded: the words that they are in, by
// indices of 32 bits, from an odd place on too. A uint and an int.
// ALL: line 16: load, gather: its index is loaded
// ALL: line 19: 2 loads, gather: its index is loaded
// AVX512: vpgatherdd
// AVX512-NOT: vpgatherqd
// SSE42-NOT: vpgather
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  device const uchar *bytes = (device const uchar *)in + 3;
  uint h = in[i];
  uint a = bytes[h & 8191u];
  uint b = (bytes + 9000)[int(h & 4095u) - 4096];
  device const short *halves = (device const short *)in + 1;
  int c = halves[h >> 5 & 8191u], d = (halves + 5000)[int(h & 511u) - 512];
  out[i] = a + b * 256u + uint(c) * 3u + uint(d) * 5u;
}
