// section: 5.2 Function Arguments and Variables
// construct: parameters without attributes take the next buffers
// grid: 3
// in: a float 1 2 3
// arg: k float 10
// out: out float 10 20 30
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a, device float *out, constant float &k,
                 uint i [[thread_position_in_grid]]) {
  out[i] = a[i] * k;
}
