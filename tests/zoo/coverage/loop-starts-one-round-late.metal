// A grid-stride loop that begins with its second round.
// run: --grid 50 --group 25 --arg y=int[400] --arg n=400
// expect: coverage
#include <metal_stdlib>
using namespace metal;

kernel void squares(device int *y [[buffer(0)]],
                    constant uint &n [[buffer(1)]],
                    uint i [[thread_position_in_grid]],
                    uint threads [[threads_per_grid]]) {
#ifdef FIXED
  for (uint k = i; k < n; k += threads)
#else
  for (uint k = i + threads; k < n; k += threads)
#endif
    y[k] = int(k * k);
}
