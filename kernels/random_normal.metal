#include <metal_stdlib>
using namespace metal;

// y = normal random numbers, mean 0 and deviation 1, two per thread: a pair of
// uniform ones gives a radius and an angle (the method of Box and Muller).
//
// Philox, a generator without a state: ten rounds of multiplying and mixing
// turn the number of the thread and the seed into two words that look random.
// Thread 1000 needs nothing from thread 999, and a seed gives the same numbers
// on every device, however many threads share the work.
static uint2 philox(uint counter, uint seed) {
  uint2 v = uint2(counter, 0);
  uint key = seed;
  for (uint round = 0; round < 10; round++) {
    uint high = mulhi(v.x, 0xd256d193u), low = v.x * 0xd256d193u;
    v = uint2(high ^ key ^ v.y, low);
    key += 0x9e3779b9u;
  }
  return v;
}

kernel void random_normal(device float  *y    [[buffer(0)]],
                          constant uint &seed [[buffer(1)]],
                          constant uint &n    [[buffer(2)]],
                          uint i [[thread_position_in_grid]]) {
  if (2 * i >= n) return;
  uint2 bits = philox(i, seed);
  // in (0, 1]: it has a logarithm
  float u = (float(bits.x >> 8) + 1) * 0x1p-24f;
  float angle = float(bits.y >> 8) * (0x1p-24f * 6.2831853f);
  float radius = sqrt(-2 * log(u));
  y[2 * i] = radius * cos(angle);
  if (2 * i + 1 < n) y[2 * i + 1] = radius * sin(angle);
}
