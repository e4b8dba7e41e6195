// Divisions of 64 bits, by what each lane has, by what all share and by a
// number: products of doubles in place of a division for each lane. Of all
// sizes, with and without a sign, near 2^53, 2^63 and 2^64.
// AVX512: vcvtuqq2pd
// AVX512: vcvttpd2uqq
// AVX512-NOT: divq
#include <metal_stdlib>
using namespace metal;
static ulong number(uint a, uint b, uint c) {
  ulong x = ((ulong)a << 32 | b) >> (c & 63u);
  uint k = c >> 6 & 15u;
  return k == 0 ? ~0ul - (c >> 10 & 3u)
         : k == 1 ? (1ul << 63) + (c >> 10 & 3u) - 2
         : k == 2 ? (1ul << 53) + (c >> 10 & 3u) - 2
         : k == 3 ? c >> 10 & 3u : x;
}
static uint mix(ulong x) { return uint(x) ^ uint(x >> 32) * 5u; }
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  uint h = in[i] * 2654435761u;
  ulong x = number(h, h * 40503u, h >> 7 ^ h * 97u);
  h = (h ^ h >> 15) * 2246822519u;
  ulong d = number(h, h * 69069u, h >> 5 ^ h * 31u), all = n * 1000003ul + 7ul;
  uint sum = mix(x / d) + mix(x % d) * 3u;
  sum += mix(x / all) * 7u + mix(x % all) * 11u;
  sum += mix(x / 1000000007ul) * 13u + mix(x % 10ul) * 17u;
  long y = long(x), e = long(d) | 1;
  sum += mix(ulong(y / e)) * 19u + mix(ulong(y % e)) * 23u;
  sum += mix(ulong(y / -7l)) * 29u + mix(ulong(y % long(all))) * 31u;
  if (sum & 1u) sum += mix(x % (d >> 1 | 1ul));
  out[i] = sum;
}
