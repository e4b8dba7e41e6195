#include <metal_stdlib>
using namespace metal;
struct A { virtual float f() { return 1; } };
kernel void k(device float *x) { x[0] = 1; }
// expect: 3: virtual
