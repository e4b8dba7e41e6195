// The array in the struct has 4 elements; the fifth is the next member.
// run: --grid 32 --group 32 --arg p=Particle[32] --arg y=float[32]
#include <metal_stdlib>
using namespace metal;

struct Particle {
  float history[4];
  float mass;
  float rest[3];
};

kernel void smooth(device const Particle *p [[buffer(0)]],
                   device float *y [[buffer(1)]],
                   uint i [[thread_position_in_grid]]) {
#ifdef FIXED
  const int n = 4;
#else
  const int n = 5;
#endif
  float sum = 0;
  for (int k = 0; k < n; k++) sum += p[i].history[k]; // !out-of-bounds
  y[i] = sum / n * p[i].mass;
}
