// wrong: the index still counts halfs
#include <metal_stdlib>
using namespace metal;

kernel void dots(device const half4 *a [[buffer(0)]],
                 device const half4 *b [[buffer(1)]],
                 device float *out     [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = dot(float4(a[4 * i]), float4(b[4 * i]));
}
