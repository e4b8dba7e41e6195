// section: 4.8 Memory Coherency
// construct: coherent as a word before device
// grid: 4
// in: a float 1 2 3 4
// out: a float 2 3 4 5
#include <metal_stdlib>
using namespace metal;
struct Where { coherent device float *p; };
kernel void test(device float *a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  Where w = {a};
  w.p[i] += 1;
}
