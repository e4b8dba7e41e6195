// Sums that a struct leads to are added to, and nobody has set them.
// run: --grid 60 --group 30 --arg job.x=float[60] --arg job.sums=float[60]:undefined
#include <metal_stdlib>
using namespace metal;

struct Job {
  device const float *x;
  device float *sums;
};

kernel void accumulate(constant Job &job [[buffer(0)]],
                       uint i [[thread_position_in_grid]]) {
#ifdef FIXED
  job.sums[i] = 0;
#endif
  for (int k = 0; k < 4; k++)
    job.sums[i] += job.x[i] * float(k); // !uninitialised
}
