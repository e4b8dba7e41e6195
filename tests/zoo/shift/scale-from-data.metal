// Fixed-point numbers with a scale that comes from a file.
// run: --grid 12 --group 12 --arg v=int[12] --arg scale=int[12]:20..40
#include <metal_stdlib>
using namespace metal;

kernel void rescale(device int *v [[buffer(0)]],
                    device const int *scale [[buffer(1)]],
                    uint i [[thread_position_in_grid]]) {
#ifdef FIXED
  v[i] >>= min(scale[i], 31);
#else
  v[i] >>= scale[i]; // !shift
#endif
}
