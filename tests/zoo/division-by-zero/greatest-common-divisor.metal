// Euclid's algorithm one step too far.
// run: --grid 24 --group 24 --arg a=uint[24]:1..100 --arg b=uint[24]:1..100 --arg g=uint[24]
#include <metal_stdlib>
using namespace metal;

kernel void gcd(device const uint *a [[buffer(0)]],
                device const uint *b [[buffer(1)]],
                device uint *g [[buffer(2)]],
                uint i [[thread_position_in_grid]]) {
  uint x = a[i], y = b[i];
#ifdef FIXED
  while (y != 0) {
    uint r = x % y;
    x = y;
    y = r;
  }
  g[i] = x;
#else
  uint r;
  do {
    r = x % y; // !division-by-zero
    x = y;
    y = r;
  } while (x != 0);
  g[i] = y;
#endif
}
