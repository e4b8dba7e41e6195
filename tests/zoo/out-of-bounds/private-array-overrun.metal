// A private array of 5 and a loop that counts to 5.
// run: --grid 32 --group 32 --arg x=float[160] --arg median=float[32]
#include <metal_stdlib>
using namespace metal;

kernel void median5(device const float *x [[buffer(0)]],
                    device float *median [[buffer(1)]],
                    uint i [[thread_position_in_grid]]) {
  float v[5];
  for (int k = 0; k < 5; k++) v[k] = x[5 * i + k];
  for (int a = 0; a < 5; a++) {
#ifdef FIXED
    for (int b = 0; b + 1 < 5 - a; b++) {
#else
    for (int b = 0; b < 5 - a; b++) {
#endif
      if (v[b] > v[b + 1]) { // !out-of-bounds
        float other = v[b];
        v[b] = v[b + 1]; // !out-of-bounds
        v[b + 1] = other; // !out-of-bounds
      }
    }
  }
  median[i] = v[2];
}
