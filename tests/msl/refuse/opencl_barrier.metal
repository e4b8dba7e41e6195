#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  barrier(CLK_LOCAL_MEM_FENCE); x[i] = 1;
}
// expect: 4: CLK_LOCAL_MEM_FENCE
