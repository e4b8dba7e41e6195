#include <metal_stdlib>
kernel void k(device float *x) { x[0] = clamp(x[0], 0.0, 1.0); }
// expect: 2: undeclared identifier 'clamp'
