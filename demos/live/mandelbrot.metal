// mandelbrot.metal - the set, and a zoom to where the mouse points
//
// Left button: closer; right button: away; the wheel does both.
#include <metal_stdlib>
using namespace metal;

// view: the point in the middle, and the height of the picture in the plane.
kernel void mandelbrot(texture2d<float, access::write> picture [[texture(0)]],
                       constant float3 &view [[buffer(0)]],
                       constant uint2 &size [[buffer(1)]],
                       uint2 at [[thread_position_in_grid]]) {
  const int most = 192;
  float2 from_middle = float2(at) + 0.5f - 0.5f * float2(size);
  float2 c = view.xy + from_middle * (view.z / float(size.y));
  float2 z = float2(0.0f);
  int n = 0;
  while (n < most && dot(z, z) < 64.0f) {
    z = float2(z.x * z.x - z.y * z.y, 2.0f * z.x * z.y) + c;
    n++;
  }
  float3 colour = float3(0.0f);
  if (n < most) { // between two rings: how far outside the circle it ended
    float smooth = float(n) - log2(0.5f * log2(dot(z, z)));
    colour = 0.5f + 0.5f * cos(0.12f * smooth + float3(3.4f, 4.2f, 5.2f));
  }
  picture.write(float4(colour, 1.0f), at);
}
