#include <metal_stdlib>
using namespace metal;
kernel void k(texture2d<float> t [[texture(0)]],
              device float4 *out [[buffer(0)]]) {
  constexpr sampler s(filter::bicubic);
  out[0] = t.sample(s, float2(0.5f));
}
// expect: 5: nearest and linear
