// Eight values of 4 bits in a word, counted as 16.
// run: --grid 16 --group 16 --arg packed=uint[1] --arg out=uint[16]
#include <metal_stdlib>
using namespace metal;

kernel void unpack(device const uint *packed [[buffer(0)]],
                   device uint *out [[buffer(1)]],
                   uint i [[thread_position_in_grid]]) {
#ifdef FIXED
  out[i] = packed[0] >> (2 * i) & 3;
#else
  out[i] = packed[0] >> (4 * i) & 15; // !shift
#endif
}
