#include <metal_stdlib>
using namespace metal;
constant int a [[function_constant(1)]];
constant int c [[function_constant(1)]];
kernel void k(device int *x) { x[0] = a + c; }
// expect: 4: index 1
