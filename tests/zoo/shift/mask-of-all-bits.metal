// (1 << n) - 1 for n = 32 is not all ones.
// run: --grid 33 --group 33 --arg out=uint[33]
#include <metal_stdlib>
using namespace metal;

kernel void masks(device uint *out [[buffer(0)]],
                  uint n [[thread_position_in_grid]]) {
#ifdef FIXED
  out[n] = n == 0 ? 0 : 0xffffffffu >> (32 - n);
#else
  out[n] = (1u << n) - 1; // !shift
#endif
}
