// A group of 40: the second SIMD-group has 8 threads, and the butterfly asks for 32.
// run: --grid 40 --group 40 --arg x=int[40] --arg y=int[40]
#include <metal_stdlib>
using namespace metal;

kernel void largest(device const int *x [[buffer(0)]],
                    device int *y [[buffer(1)]],
                    uint t [[thread_index_in_threadgroup]]) {
  int v = x[t];
#ifdef FIXED
  v = simd_max(v);
#else
  for (ushort m = 16; m > 0; m /= 2)
    v = max(v, simd_shuffle_xor(v, m)); // !inactive-lane
#endif
  y[t] = v;
}
