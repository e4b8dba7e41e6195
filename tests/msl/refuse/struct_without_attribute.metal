#include <metal_stdlib>
using namespace metal;
struct Params { float a; };
kernel void k(device float *x, Params p) { x[0] = p.a; }
// expect: 4: invalid type 'Params'
