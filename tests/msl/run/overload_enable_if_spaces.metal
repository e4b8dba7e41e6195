// section: 4 Address Spaces
// construct: templates told apart by enable_if and by address space, each with its own body
// grid: 1
// out: a float 13 7 24 16
#include <metal_stdlib>
using namespace metal;
template <typename T> constexpr bool is_wide() { return sizeof(T) > 4; }
template <typename T>
METAL_FUNC static typename metal::enable_if<is_wide<T>(), float>::type
take(threadgroup const T &v, short n) { return v.x + n; }
template <typename T>
METAL_FUNC static typename metal::enable_if<!is_wide<T>(), float>::type
take(threadgroup const T &v, short n) { return v + n; }
template <typename T>
METAL_FUNC static typename metal::enable_if<is_wide<T>(), float>::type
take(thread const T &v, short n) { return v.x - n; }
template <typename T>
METAL_FUNC static typename metal::enable_if<!is_wide<T>(), float>::type
take(thread const T &v, short n) { return v - n; }
kernel void test(device float *a [[buffer(0)]], uint i [[thread_position_in_grid]], uint t [[thread_index_in_threadgroup]]) {
  threadgroup float shared;
  threadgroup float2 wide;
  if (t == 0) shared = 10, wide = float2(20, 0);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float own = 10;
  float2 pair = float2(20, 0);
  a[i * 4] = take(shared, 3);
  a[i * 4 + 1] = take(own, 3);
  a[i * 4 + 2] = take(wide, 4);
  a[i * 4 + 3] = take(pair, 4);
}
