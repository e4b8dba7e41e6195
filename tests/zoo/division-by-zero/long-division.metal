// A rate: items per millisecond, where no millisecond has passed.
// run: --grid 6 --group 6 --arg start=long[6]:5 --arg end=long[6]:5..7 --arg rate=long[6]
#include <metal_stdlib>
using namespace metal;

kernel void rates(device const long *start [[buffer(0)]],
                  device const long *end [[buffer(1)]],
                  device long *rate [[buffer(2)]],
                  uint i [[thread_position_in_grid]]) {
  long passed = end[i] - start[i];
#ifdef FIXED
  rate[i] = 1000000L / max(passed, 1L);
#else
  rate[i] = 1000000L / passed; // !division-by-zero
#endif
}
