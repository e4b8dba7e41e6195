// A rotation by 0 shifts the other half by 32.
// run: --grid 8 --group 8 --arg x=uint[8] --arg y=uint[8]
#include <metal_stdlib>
using namespace metal;

static uint rotated(uint v, uint by) {
#ifdef FIXED
  return v << by | v >> ((32 - by) & 31);
#else
  return v << by | v >> (32 - by); // !shift
#endif
}

kernel void hash(device const uint *x [[buffer(0)]],
                 device uint *y [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  y[i] = rotated(x[i] * 2654435761u, i);
}
