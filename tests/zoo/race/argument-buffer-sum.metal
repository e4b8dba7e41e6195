// All threads add to one number that a struct leads to.
// run: --grid 128 --group 64 --arg job.x=int[128]:one --arg job.sum=int[1]:zero
#include <metal_stdlib>
using namespace metal;

struct Job {
  device const int *x;
#ifdef FIXED
  device atomic_int *sum;
#else
  device int *sum;
#endif
};

kernel void total(constant Job &job [[buffer(0)]],
                  uint i [[thread_position_in_grid]]) {
#ifdef FIXED
  atomic_fetch_add_explicit(job.sum, job.x[i], memory_order_relaxed);
#else
  *job.sum += job.x[i]; // !race
#endif
}
