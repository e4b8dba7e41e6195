// A stack that all lanes push and pop alike: one copy, and what is popped is
// uniform.
// ALL: store, uniform
// ALL: load, uniform
// ALL-NOT: private array
// ALL-NOT: gather
// ALL-NOT: scatter
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  uint todo[64], top = 0, at = 1, sum = 0;
  while (true) {
    if (simd_any((in[i] >> (at & 15u) & 1u) != 0u) && at < 30u) {
      todo[top++] = at + 3u;
      at = at * 2u;
    } else {
      if (top == 0u) break;
      at = todo[--top];
    }
    sum += at * (in[i] & 3u);
  }
  out[i] = sum;
}
