#include <metal_stdlib>
using namespace metal;

kernel void places(device uint *both [[buffer(0)]],
                   uint i [[thread_position_in_grid]],
                   uint g [[threadgroup_position_in_grid]],
                   uint t [[thread_position_in_threadgroup]]) {
  both[2 * i] = g;
  both[2 * i + 1] = t;
}
