#include <metal_stdlib>
using namespace metal;
int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }
kernel void k(device int *x) { x[0] = f(x[1]); }
// expect: 3: recursive call of 'f'
