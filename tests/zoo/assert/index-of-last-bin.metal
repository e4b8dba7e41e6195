// A histogram that asserts its own bound: the largest value is one bin too far.
// run: --grid 9 --group 9 --arg bins=int[9]
#include <metal_assert>
#include <metal_stdlib>
using namespace metal;

kernel void bins(device int *bins [[buffer(0)]],
                 uint i [[thread_position_in_grid]]) {
#ifdef FIXED
  uint bin = min(i, 7u);
#else
  uint bin = i;
#endif
  assert(bin < 8); // !assert
  bins[i] = int(bin);
}
