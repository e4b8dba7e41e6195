#include <metal_stdlib>
using namespace metal;
struct P { float a; };
kernel void k(constant P &p, device float *x) { p.a = x[0]; }
// expect: 4: const
