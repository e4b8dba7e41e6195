// The array is one of two that a pointer may lead to.
// ALL: loads, private array
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  uint one[16], two[16];
  for (uint j = 0; j < 16u; j++) one[j * n & 15u] = j, two[j * n & 15u] = j * j;
  thread uint *p = in[i] & 1u ? one : two;
  for (uint j = 0; j < n; j++) p[(j * 3u) & 15u] += n;
  out[i] = one[n & 15u] * 3u + two[(n + 1u) & 15u];
}
