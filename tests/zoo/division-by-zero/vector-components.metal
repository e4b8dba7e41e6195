// One side of the image is 0, and the division is by both.
// run: --grid 12 --group 12 --arg out=uint2[12] --arg size=4,0
// fixed: --grid 12 --group 12 --arg out=uint2[12] --arg size=4,3
#include <metal_stdlib>
using namespace metal;

kernel void wrap(device uint2 *out [[buffer(0)]],
                 constant uint2 &size [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = uint2(i, i + 5) % size; // !division-by-zero
}
