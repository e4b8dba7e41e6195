#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = std::max(x[i], 1.0f);
}
// expect: 4: 'std'
