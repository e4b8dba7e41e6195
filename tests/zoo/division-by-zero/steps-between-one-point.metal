// n points have n - 1 steps between them; one point has none.
// run: --grid 1 --group 1 --arg out=int[1] --arg n=1
#include <metal_stdlib>
using namespace metal;

kernel void spread(device int *out [[buffer(0)]],
                   constant int &n [[buffer(1)]],
                   uint i [[thread_position_in_grid]]) {
#ifdef FIXED
  int step = n > 1 ? 1000 / (n - 1) : 0;
#else
  int step = 1000 / (n - 1); // !division-by-zero
#endif
  out[i] = int(i) * step;
}
