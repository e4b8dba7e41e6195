using namespace metal;
kernel void k(device float *x) { x[0] = max(x[1], 2.0f); }
// expect: 2: undeclared identifier 'max'
