// section: 4 Address Spaces
// construct: an index made of the same product several times over
// grid: 1 1 86
// group: 1 1 40, 1 1 86
// out: a uint4 = (function(x, j) local s = 0 for m = 1, 3 do if (7 + 7 * x * m - x) & 3 == j then s = s + m end end return s end)(i // 4, i % 4)
#include <metal_stdlib>
using namespace metal;

kernel void test(device uint *a [[buffer(0)]],
                 uint3 gid [[thread_position_in_grid]], uint3 grid [[threads_per_grid]],
                 uint3 local [[thread_position_in_threadgroup]],
                 uint3 group [[threadgroup_position_in_grid]], uint3 per [[dispatch_threads_per_threadgroup]]) {
  uint i = (gid.z * grid.y + gid.y) * grid.x + gid.x;
  uint start = group.z * per.z, t = local.z, b = i * 7, w = 7;
  for (uint m = 1; m <= 3; m++) {
    w += b;
    a[i * 4 + ((w - t - start) & 3)] += m;
  }
}
