// section: 5.1 Functions
// construct: results through thread references and pointers
// grid: 2
// in: a float 9 16
// out: out float 12 20
#include <metal_stdlib>
using namespace metal;

void both(float x, thread float &root, thread float *more) {
  root = sqrt(x);
  *more = x;
}

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  float r, m;
  both(a[i], r, &m);
  out[i] = r + m;
}
