// The transposed matrix has rows of length 'rows', not 'columns'.
// run: --grid 48,20 --group 16,4 --arg in=float[960] --arg out=float[960] --arg columns=48 --arg rows=20
#include <metal_stdlib>
using namespace metal;

kernel void transpose(device const float *in [[buffer(0)]],
                      device float *out [[buffer(1)]],
                      constant uint &columns [[buffer(2)]],
                      constant uint &rows [[buffer(3)]],
                      uint2 p [[thread_position_in_grid]]) {
#ifdef FIXED
  out[p.x * rows + p.y] = in[p.y * columns + p.x];
#else
  out[p.x * columns + p.y] = in[p.y * columns + p.x]; // !out-of-bounds
#endif
}
