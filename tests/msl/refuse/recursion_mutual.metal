#include <metal_stdlib>
using namespace metal;
int g(int n);
int f(int n) { return n < 2 ? 1 : g(n - 1) * n; }
int g(int n) { return f(n) + 1; }
kernel void k(device int *x) { x[0] = f(x[1]); }
// expect: 4: recursive call
