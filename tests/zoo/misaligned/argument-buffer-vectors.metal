// Vectors from a place in a list that a struct leads to, wherever it is.
// run: --grid 16 --group 16 --arg job.values=float[80] --arg job.out=float4[16] --arg job.first=3
#include <metal_stdlib>
using namespace metal;

struct Job {
  device const float *values;
  device float4 *out;
  uint first;
};

kernel void take(constant Job &job [[buffer(0)]],
                 uint i [[thread_position_in_grid]]) {
  device const float *from = job.values + job.first + 4 * i;
#ifdef FIXED
  job.out[i] = float4(*(device const packed_float4 *)from);
#else
  job.out[i] = *(device const float4 *)from; // !misaligned
#endif
}
