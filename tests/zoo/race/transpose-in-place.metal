// Both threads of a pair swap, so each swap happens twice, at the same time.
// run: --grid 24,24 --group 8,8 --arg m=float[576] --arg n=24
#include <metal_stdlib>
using namespace metal;

kernel void transpose(device float *m [[buffer(0)]],
                      constant uint &n [[buffer(1)]],
                      uint2 p [[thread_position_in_grid]]) {
#ifdef FIXED
  if (p.x >= p.y) return;
#endif
  float upper = m[p.y * n + p.x]; // !race
  float lower = m[p.x * n + p.y]; // !race
  m[p.y * n + p.x] = lower; // !race
  m[p.x * n + p.y] = upper; // !race
}
