// The quad's first thread is not among those that ask it.
// run: --grid 64 --group 64 --arg x=float[64] --arg y=float[64]
#include <metal_stdlib>
using namespace metal;

kernel void quads(device const float *x [[buffer(0)]],
                  device float *y [[buffer(1)]],
                  uint i [[thread_position_in_grid]],
                  uint q [[thread_index_in_quadgroup]]) {
  float v = x[i];
#ifdef FIXED
  float first = quad_broadcast(v, 0);
  if (q != 0) v -= first;
#else
  if (q != 0) v -= quad_broadcast(v, 0); // !inactive-lane
#endif
  y[i] = v;
}
