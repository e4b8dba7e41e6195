// "The smallest so far" has no value before the first comparison.
// run: --grid 16 --group 16 --arg points=float[64] --arg nearest=int[16]
#include <metal_stdlib>
using namespace metal;

kernel void nearest_of_four(device const float *points [[buffer(0)]],
                            device int *nearest [[buffer(1)]],
                            uint i [[thread_position_in_grid]]) {
#ifdef FIXED
  float best = INFINITY;
  int at = -1;
#else
  float best;
  int at;
#endif
  for (int k = 0; k < 4; k++) {
    float d = fabs(points[4 * i + k] - 0.5f);
    if (d < best) { // !uninitialised
      best = d;
      at = k;
    }
  }
  nearest[i] = at; // !uninitialised
}
