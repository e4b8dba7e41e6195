#include <metal_stdlib>
using namespace metal;

uint place [[thread_position_in_grid]];

kernel void fill_positions(device uint *out [[buffer(0)]],
                           constant uint &n [[buffer(1)]]) {
  if (place < n) out[place] = 10 * place + 7;
}
