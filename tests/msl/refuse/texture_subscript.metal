#include <metal_stdlib>
using namespace metal;
kernel void k(texture2d<float> t [[texture(0)]], device float *x [[buffer(0)]]) {
  x[0] = t[uint2(0)].x;
}
// expect: 4: Write t.read(position)
