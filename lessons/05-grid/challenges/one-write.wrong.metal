// wrong: place before group
#include <metal_stdlib>
using namespace metal;

kernel void places(device uint2 *both [[buffer(0)]],
                   uint i [[thread_position_in_grid]],
                   uint g [[threadgroup_position_in_grid]],
                   uint t [[thread_position_in_threadgroup]]) {
  both[i] = uint2(t, g);
}
