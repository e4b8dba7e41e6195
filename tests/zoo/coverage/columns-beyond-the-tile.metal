// One group walks down the rows but has fewer threads than there are columns.
// run: --grid 32 --group 32 --arg m=float[480] --arg out=float[480] --arg columns=48 --arg rows=10
// expect: coverage
#include <metal_stdlib>
using namespace metal;

kernel void normalise(device const float *m [[buffer(0)]],
                      device float *out [[buffer(1)]],
                      constant uint &columns [[buffer(2)]],
                      constant uint &rows [[buffer(3)]],
                      uint t [[thread_position_in_threadgroup]],
                      uint size [[threads_per_threadgroup]]) {
  for (uint r = 0; r < rows; r++) {
#ifdef FIXED
    for (uint c = t; c < columns; c += size)
#else
    uint c = t;
#endif
      out[r * columns + c] = m[r * columns + c] / float(columns);
  }
}
