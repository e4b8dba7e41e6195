// vectors.h - what Metal and OpenCL have built in, for CUDA and C++: the
// arithmetic of small vectors and a few functions.
FUNCTION int clamp(int x, int low, int high) { return min(max(x, low), high); }
FUNCTION float clamp(float x, float low, float high) {
  return fminf(fmaxf(x, low), high);
}
FUNCTION float mix(float a, float b, float t) { return a + (b - a) * t; }

FUNCTION float2 operator+(float2 a, float2 b) {
  return FLOAT2(a.x + b.x, a.y + b.y);
}
FUNCTION float2 operator-(float2 a, float2 b) {
  return FLOAT2(a.x - b.x, a.y - b.y);
}
FUNCTION float2 operator*(float2 a, float b) {
  return FLOAT2(a.x * b, a.y * b);
}
FUNCTION float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }
FUNCTION float length(float2 a) { return sqrtf(dot(a, a)); }

FUNCTION float3 operator+(float3 a, float3 b) {
  return FLOAT3(a.x + b.x, a.y + b.y, a.z + b.z);
}
FUNCTION float3 operator-(float3 a, float3 b) {
  return FLOAT3(a.x - b.x, a.y - b.y, a.z - b.z);
}
FUNCTION float3 operator*(float3 a, float b) {
  return FLOAT3(a.x * b, a.y * b, a.z * b);
}
FUNCTION float3 operator*(float a, float3 b) { return b * a; }
FUNCTION float dot(float3 a, float3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
FUNCTION float3 cross(float3 a, float3 b) {
  return FLOAT3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z,
                a.x * b.y - a.y * b.x);
}
FUNCTION float length(float3 a) { return sqrtf(dot(a, a)); }
FUNCTION float3 normalize(float3 a) { return a * (1 / length(a)); }

FUNCTION float4 operator+(float4 a, float4 b) {
  return FLOAT4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
FUNCTION float4 operator-(float4 a, float4 b) {
  return FLOAT4(a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w);
}
FUNCTION float4 operator*(float4 a, float b) {
  return FLOAT4(a.x * b, a.y * b, a.z * b, a.w * b);
}
FUNCTION float4 operator*(float a, float4 b) { return b * a; }
FUNCTION float dot(float4 a, float4 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
