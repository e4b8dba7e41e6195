// section: 4 Address Spaces
// construct: device and thread pointers passed to functions
// grid: 4
// in: a float 1 2 3 4
// out: out float 2 4 6 8
#include <metal_stdlib>
using namespace metal;

void twice(device const float *from, thread float &to) { to = *from * 2; }
void keep(device float *to, float v) { *to = v; }
kernel void test(device const float *a [[buffer(0)]], device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  float v;
  twice(a + i, v);
  keep(&out[i], v);
}
