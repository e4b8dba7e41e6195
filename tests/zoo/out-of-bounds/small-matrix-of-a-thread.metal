// Row and column are swapped in a small table that is not square.
// run: --grid 32 --group 32 --arg x=float[256] --arg y=float[32]
#include <metal_stdlib>
using namespace metal;

kernel void fit(device const float *x [[buffer(0)]],
                device float *y [[buffer(1)]],
                uint i [[thread_position_in_grid]]) {
  float m[4][2];
  for (int r = 0; r < 4; r++)
    for (int c = 0; c < 2; c++) m[r][c] = x[8 * i + 2 * r + c];
  float sum = 0;
  for (int r = 0; r < 4; r++)
    for (int c = 0; c < 2; c++)
#ifdef FIXED
      sum += m[r][c] * float(c + 1);
#else
      sum += c == 0 && r == 3 ? 0 : m[c][r] * float(c + 1); // !out-of-bounds
#endif
  y[i] = sum;
}
