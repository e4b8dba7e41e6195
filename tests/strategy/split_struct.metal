// An indexed array in a struct does not keep the other members in memory, and
// is shared by itself.
// ALL-NOT: private array
// ALL-NOT: gather
// ALL-NOT: scatter
#include <metal_stdlib>
using namespace metal;
struct Ray { uint origin, direction; bool negative[3]; uint hit; };
static Ray make(uint x, uint n) {
  Ray r = {x, x >> 3, {}, 0};
  for (int j = 0; j < 3; j++) r.negative[j] = (n >> j & 1u) != 0u;
  return r;
}
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  Ray r = make(in[i], n), before = r;
  uint sum = 0;
  for (uint j = 0; j < n; j++) {
    if (r.negative[in[j] % 3u]) before.origin += r.direction;
    sum += before.origin;
  }
  out[i] = sum ^ before.direction;
}
