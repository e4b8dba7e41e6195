// section: 6.1 Namespace and Header Files
// construct: is_vector, make_scalar_t, vec_elements_v
// grid: 1
// in: a int 0
// out: out int 13
#include <metal_stdlib>
using namespace metal;

kernel void test(device const int *a [[buffer(0)]],
                 device int *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  make_scalar_t<float3> x = 1.5f;
  out[i] = a[i] + (is_vector_v<float3> ? 1 : 0) + (is_vector_v<float> ? 2 : 0) + 4 * vec_elements_v<float3> + int(x) - 1;
}
