#include <metal_stdlib>
using namespace metal;
kernel void k(texture2d<float, access::write> t [[texture(0)]]) {
  t.write(1.0, uint2(0)); t.write(float4(1), 0, 0);
}
// expect: 4: t.write(colour, position)
