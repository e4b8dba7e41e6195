// section: 1.5 Metal and C++17
// construct: static functions that return vectors, declared before they are defined
// grid: 2
// repeats: no
// out: a float 7 9
#include <metal_stdlib>
using namespace metal;
struct Ray { float2 from; };
static float2 turn(float2 point, float angle);
static half4 fade(const half4 colour);
static float2 start(Ray ray);
kernel void test(device float *a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  Ray ray = {float2(i, 1)};
  a[i] = turn(float2(i, 2), 1).x + float(fade(half4(2)).y) + start(ray).x + 2;
}
static float2 turn(float2 point, float angle) { return point + angle; }
static half4 fade(const half4 colour) { return colour * 2; }
static float2 start(Ray ray) { return ray.from; }
