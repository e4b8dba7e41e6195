// section: 2.2 Vector Data Types
// construct: a bool as the vector argument of a function with a library's name
// grid: 2
// out: o float 3 3 4 4
#include <metal_stdlib>
using namespace metal;
struct M {
  float v;
  float any(float2 w) const { return w.x + w.y + v; }
};
namespace mine {
float all(float4 v) { return v.x + v.y + v.z + v.w; }
}
kernel void test(device float *o [[buffer(0)]],
                 uint i [[thread_position_in_grid]]) {
  M m = {1};
  o[i] = m.any(true);
  o[2 + i] = mine::all(true);
}
