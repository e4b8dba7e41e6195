// Two members of a struct are given the same memory: what is read through the
// one is written through the other.
// run: --grid 100 --group 50 --arg job.now=float[101] --arg job.next=float[101]
#include <metal_stdlib>
using namespace metal;

struct Job {
  device float *now;
  device float *next;
};

kernel void step(device const Job &job [[buffer(0)]],
                 uint i [[thread_position_in_grid]]) {
  device float *from = job.now;
#ifdef FIXED
  device float *to = job.next;
#else
  device float *to = from;
#endif
  float right = from[i + 1]; // !race
  to[i] = 0.5f * (from[i] + right); // !race
}
