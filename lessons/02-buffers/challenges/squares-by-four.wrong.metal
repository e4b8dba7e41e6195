// wrong: the thread's number is not the element's
#include <metal_stdlib>
using namespace metal;

kernel void squares(device int4 *out [[buffer(0)]],
                    uint i [[thread_position_in_grid]]) {
  int4 k = i + int4(0, 1, 2, 3);
  out[i] = k * k;
}
