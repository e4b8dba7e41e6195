#include <metal_stdlib>
using namespace metal;
kernel void k(device atomic_uint *x [[buffer(0)]]) { x[0] += 1; }
// expect: 3: atomic_fetch_add_explicit
