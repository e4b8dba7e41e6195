using namespace metal;
kernel void k(device float *x) { x[0] = 1; }
// expect: 1: metal_stdlib|namespace
