// The position in the grid made by hand with the size of this group, which is
// smaller in the last one.
// run: --grid 100 --group 32 --arg in=float[100] --arg out=float[100]
#include <metal_stdlib>
using namespace metal;

kernel void twice(device const float *in [[buffer(0)]],
                  device float *out [[buffer(1)]],
                  uint local [[thread_position_in_threadgroup]],
                  uint group [[threadgroup_position_in_grid]],
#ifdef FIXED
                  uint size [[dispatch_threads_per_threadgroup]]) {
#else
                  uint size [[threads_per_threadgroup]]) {
#endif
  uint i = group * size + local;
  out[i] = 2 * in[i]; // !coverage
}
