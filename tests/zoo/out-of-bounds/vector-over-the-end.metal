// Four floats a thread, and 1002 is not a multiple of four.
// run: --grid 251 --group 64 --arg x=float[1002] --arg n=1002
#include <metal_stdlib>
using namespace metal;

kernel void scale4(device float *x [[buffer(0)]],
                   constant uint &n [[buffer(1)]],
                   uint i [[thread_position_in_grid]]) {
#ifdef FIXED
  if (4 * i + 3 >= n) {
    for (uint k = 4 * i; k < n; k++) x[k] *= 3.0f;
    return;
  }
#endif
  device float4 *v = (device float4 *)x;
  v[i] = v[i] * 3.0f; // !out-of-bounds
}
