// section: 2.2.3 Packed Vector Types
// construct: a function overloaded for a vector and its packed vector
// grid: 1
// out: out float 4 10 2 20 8 30
#include <metal_stdlib>
using namespace metal;
float which(float4 v) { return v.x; }
float which(packed_float4 v) { return v.x * 10; }
float which(float2 v) { return v.x; }
float which(packed_float2 v) { return v.y * 10; }
float which(half3 v) { return v.x; }
float which(packed_half3 v) { return v.z * 10; }
kernel void f(device float *out) {
  packed_float4 a = {1, 2, 3, 4};
  packed_float2 b(1, 2);
  packed_half3 c(1, 2, 3);
  out[0] = which(a.wzyx);
  out[1] = which(a);
  out[2] = which(b * b.x * 2);
  out[3] = which(b);
  out[4] = which(half3(c) * 8);
  out[5] = which(c);
}
