// A sum along a row of each lane: LLVM vectorises it along the row.
// ALL: load, lane by lane in an inner loop
// ALL: loop, one lane after the other along its row
// ALL-NOT: mt_transpose_in
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  uint s = 0;
  for (uint j = 0; j < n; j++) s += in[i * n + j];
  out[i] = s;
}
