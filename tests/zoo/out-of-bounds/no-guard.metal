// Whole threadgroups are launched over 1000 elements, and the last 24 threads
// have none.
// run: --groups 4 --group 256 --arg a=float[1000] --arg b=float[1000] --arg c=float[1000] --arg n=1000
#include <metal_stdlib>
using namespace metal;

kernel void add(device const float *a [[buffer(0)]],
                device const float *b [[buffer(1)]],
                device float *c [[buffer(2)]],
                constant uint &n [[buffer(3)]],
                uint i [[thread_position_in_grid]]) {
#ifdef FIXED
  if (i >= n) return;
#endif
  c[i] = a[i] + b[i]; // !out-of-bounds
}
