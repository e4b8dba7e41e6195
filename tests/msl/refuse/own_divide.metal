#include <metal_stdlib>
using namespace metal;
float3 divide(float3 base, float3 over) { return base / over; }
kernel void k(device float3 *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = divide(x[i], float3(2));
}
// expect: 5: needs another name
