-- twenty.lua - a kernel of twenty lines as a learner types it, with a %d in it,
-- so that each can be another that no cache knows.
return [=[
#include <metal_stdlib>
using namespace metal;

struct Params {
  uint count;
  float scale;
};

kernel void wave(device const float *from [[buffer(0)]],
                 device float *to [[buffer(1)]],
                 constant Params &p [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  if (i >= p.count) return;
  float x = from[i];
  float y = to[i];
  for (int k = 0; k < 4; k++) {
    x = fma(x, p.scale, sin(y)) + %d;
  }
  to[i] = x + y;
}
]=]
