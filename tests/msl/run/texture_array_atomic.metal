// section: 6.12 Texture Functions
// construct: atomic_fetch_add on a layer of texture2d_array<uint>
// grid: 8
// out: a uint 8
// texture: t r32uint 2 2 x 2: 0 0 0 0 0 0 0 0
// pixels: t 0 0 0 0 0 0 8 0
#include <metal_stdlib>
using namespace metal;
kernel void test(device atomic_uint *a [[buffer(0)]], texture2d_array<uint, access::read_write> t [[texture(0)]]) {
  t.atomic_fetch_add(uint2(0, 1), 1, uint4(1));
  atomic_fetch_add_explicit(a, 1u, memory_order_relaxed);
}
