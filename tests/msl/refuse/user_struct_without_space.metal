#include <metal_stdlib>
using namespace metal;
struct P { float a; };
kernel void k(P *p) { p->a = 1; }
// expect: 4: must have explicit address space
