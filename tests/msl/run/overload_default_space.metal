// section: 4 Address Spaces
// construct: such overloads with default values, called from a template with each space
// grid: 4
// in: a int 1 2 3 4
// out: b int 103 205 307 409
#include <metal_stdlib>
using namespace metal;
int scaled(device int *p, int by = 100) { return *p * by; }
int scaled(thread int *p, int by = 2) { return *p + by; }
template <typename P> int twice(P p) { return scaled(p); }
kernel void test(device int *a [[buffer(0)]], device int *b [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  int mine = a[i] * 2 - 99;
  b[i] = twice(&a[i]) + scaled(&mine, 100);
}
