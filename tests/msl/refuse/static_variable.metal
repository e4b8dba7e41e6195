#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x) { static int calls = 0; x[0] = calls++; }
// expect: 3: variable 'calls' outlives its thread
