#include <metal_stdlib>
using namespace metal;
int f(int x) { return; }
kernel void k() { f(1); }
// expect: 3: should return a value
