// A smoothing step that writes into the array it reads its neighbours from.
// run: --grid 200 --group 64 --arg u=float[200] --arg v=float[200] --arg n=200
#include <metal_stdlib>
using namespace metal;

kernel void smooth(device float *u [[buffer(0)]],
                   device float *v [[buffer(1)]],
                   constant uint &n [[buffer(2)]],
                   uint i [[thread_position_in_grid]]) {
  float left = i > 0 ? u[i - 1] : 0.0f; // !race
  float right = i + 1 < n ? u[i + 1] : 0.0f; // !race
  float next = 0.5f * (left + right);
#ifdef FIXED
  v[i] = next;
#else
  u[i] = next; // !race
  v[i] = 0;
#endif
}
