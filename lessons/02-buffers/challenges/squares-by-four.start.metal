#include <metal_stdlib>
using namespace metal;

kernel void squares(device int *out [[buffer(0)]],
                    uint i [[thread_position_in_grid]]) {
  for (uint k = 4 * i; k < 4 * i + 4; k++) out[k] = k * k;
}
