// 14 / 4 is 3: two columns of every row, and two rows, are left over.
// run: --groups 3,3 --group 4,4 --arg out=float[196] --arg side=14
// fixed: --groups 4,4 --group 4,4 --arg out=float[196] --arg side=14
// expect: coverage
#include <metal_stdlib>
using namespace metal;

kernel void ramp(device float *out [[buffer(0)]],
                 constant uint &side [[buffer(1)]],
                 uint2 p [[thread_position_in_grid]]) {
  if (p.x < side && p.y < side) out[p.y * side + p.x] = float(p.x + p.y);
}
