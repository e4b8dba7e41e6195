#include <metal_stdlib>
using namespace metal;
[[kernel]] int k(device float *x) { return 1; }
// expect: 3: must have void return type
