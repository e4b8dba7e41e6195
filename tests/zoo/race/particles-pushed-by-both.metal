// Each pair of particles is treated once, and both of its forces are written.
// run: --grid 40 --group 20 --arg pos=float[40] --arg force=float[40]:zero --arg n=40
#include <metal_stdlib>
using namespace metal;

kernel void forces(device const float *pos [[buffer(0)]],
                   device float *force [[buffer(1)]],
                   constant uint &n [[buffer(2)]],
                   uint i [[thread_position_in_grid]]) {
#ifdef FIXED
  float sum = 0;
  for (uint j = 0; j < n; j++) sum += pos[j] - pos[i];
  force[i] += sum;
#else
  for (uint j = i + 1; j < n; j++) {
    float f = pos[j] - pos[i];
    force[i] += f; // !race
    force[j] -= f; // !race
  }
#endif
}
