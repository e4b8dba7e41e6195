#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[get_global_id(0)] = 1;
}
// expect: 4: get_global_id
