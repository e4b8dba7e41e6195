#include <metal_stdlib>
using namespace metal;

// Each element of y becomes v, with four elements per thread, as add_wide.
kernel void fill_wide(device float   *y [[buffer(0)]],
                      constant float &v [[buffer(1)]],
                      constant uint  &n [[buffer(2)]],
                      uint i [[thread_position_in_grid]]) {
  uint first = 4 * i;
  if (first + 4 <= n)
    *(device float4 *)(y + first) = float4(v);
  else
    for (uint j = first; j < n; j++) y[j] = v;
}
