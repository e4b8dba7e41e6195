#include <metal_stdlib>
using namespace metal;
template <typename T> bool every(T x) { return all(x); }
kernel void k(device bool *o [[buffer(0)]], device const float3 *f [[buffer(1)]]) {
  o[0] = every(f[0] > f[1]);
  o[1] = every(f[0]);
}
// expect: 3: all takes a vector of bools
