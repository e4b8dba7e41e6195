// section: 4 Address Spaces
// construct: functions with a deduced result that differ by address space
// groups: 1
// group: 1
// in: d float 3
// out: o float 6 30 0.5
#include <metal_stdlib>
using namespace metal;
inline auto scaled(device const float *p) {
  float twice = *p * 2;
  return twice;
}
inline auto scaled(threadgroup const float *p) { return *p * 10; }
inline auto scaled(thread const float *p) { return *p / 6; }
kernel void k(device const float *d [[buffer(0)]], device float *o [[buffer(1)]]) {
  threadgroup float t;
  t = d[0];
  float own = d[0];
  o[0] = scaled(d);
  o[1] = scaled(&t);
  o[2] = scaled(&own);
}
