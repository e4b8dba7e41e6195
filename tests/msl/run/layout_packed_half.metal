// section: 2.2.3 Packed Vector Types
// construct: packed_half3 in memory, its components changed one by one
// grid: 2
// in: a half 1 2 3 4 5 6
// out: a half 1 2 30 4 5 60
#include <metal_stdlib>
using namespace metal;
kernel void k(device packed_half3 *a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  a[i].z *= 10.0h;
}
