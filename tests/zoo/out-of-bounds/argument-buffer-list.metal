// The count in the struct is that of all its lists together.
// run: --grid 96 --group 32 --arg job.from=float[60] --arg job.to=float[96] --arg job.count=96
// fixed: --grid 96 --group 32 --arg job.from=float[96] --arg job.to=float[96] --arg job.count=96
#include <metal_stdlib>
using namespace metal;

struct Job {
  device const float *from;
  device float *to;
  uint count;
};

kernel void move(constant Job &job [[buffer(0)]],
                 uint i [[thread_position_in_grid]]) {
  if (i < job.count) job.to[i] = job.from[i]; // !out-of-bounds
}
