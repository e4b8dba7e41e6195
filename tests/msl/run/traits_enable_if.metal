// section: 6.1 Namespace and Header Files
// construct: enable_if chooses an overload
// grid: 1
// in: a int 3
// out: out int 31
#include <metal_stdlib>
using namespace metal;

template <typename T> enable_if_t<is_integral_v<T>, int> kind(T) { return 3; }
template <typename T> enable_if_t<is_floating_point_v<T>, int> kind(T) { return 1; }

kernel void test(device const int *a [[buffer(0)]],
                 device int *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = kind(a[i]) * 10 + kind(1.0f);
}
