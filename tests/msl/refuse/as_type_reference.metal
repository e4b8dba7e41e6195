#include <metal_stdlib>
using namespace metal;
kernel void k(device uint *o [[buffer(0)]], device float *x [[buffer(1)]]) {
  o[0] = as_type<uint &>(x[0]);
}
// expect: 4: as_type gives a value: name the type without '&'
