// The grid was given as rows, columns; Metal's x runs along a row.
// run: --grid 12,50 --group 4,4 --arg m=float[600] --arg rows=12 --arg columns=50
// fixed: --grid 50,12 --group 4,4 --arg m=float[600] --arg rows=12 --arg columns=50
#include <metal_stdlib>
using namespace metal;

kernel void negate(device float *m [[buffer(0)]],
                   constant uint &rows [[buffer(1)]],
                   constant uint &columns [[buffer(2)]],
                   uint2 p [[thread_position_in_grid]]) {
  m[p.y * columns + p.x] = -m[p.y * columns + p.x]; // !out-of-bounds
}
