// raymarch.metal - a scene of distances, marched along each ray, with shadows
//
// The mouse turns the camera.
#include <metal_stdlib>
using namespace metal;

static float floor_of(float3 p) { return p.y + 1.0f; }

// How far it is from p to the nearest thing at least. The ring goes up and down
// twice around: the sine and cosine of twice its angle need no angle.
static float scene(float3 p, float time) {
  float ball =
      length(p - float3(0.0f, 0.15f + 0.25f * sin(1.3f * time), 0.0f)) - 0.75f;
  float flat = dot(p.xz, p.xz) + 1e-4f;
  float2 twice = float2(p.x * p.x - p.z * p.z, 2.0f * p.x * p.z) / flat;
  float wave = 0.3f * dot(twice, float2(sin(2.0f * time), cos(2.0f * time)));
  float torus = length(float2(sqrt(flat) - 1.5f, p.y + wave)) - 0.22f;
  float k = 0.35f; // both melt into one where they are near
  float h = saturate(0.5f + 0.5f * (torus - ball) / k);
  float melted = mix(torus, ball, h) - k * h * (1.0f - h);
  return min(melted, floor_of(p));
}

static float3 normal_at(float3 p, float time) {
  const float2 e = float2(1.0f, -1.0f);
  const float d = 0.002f;
  return normalize(e.xyy * scene(p + d * e.xyy, time) +
                   e.yyx * scene(p + d * e.yyx, time) +
                   e.yxy * scene(p + d * e.yxy, time) +
                   e.xxx * scene(p + d * e.xxx, time));
}

static float shadow(float3 from, float3 towards, float time) {
  float light = 1.0f, t = 0.05f;
  for (int i = 0; i < 16 && t < 4.0f; i++) {
    float d = scene(from + t * towards, time);
    light = min(light, 10.0f * d / t);
    if (light < 0.01f) break;
    t += clamp(d, 0.06f, 0.6f);
  }
  return saturate(light);
}

kernel void raymarch(texture2d<float, access::write> picture [[texture(0)]],
                     constant float &time [[buffer(0)]],
                     constant float2 &mouse [[buffer(1)]],
                     constant uint2 &size [[buffer(2)]],
                     uint2 at [[thread_position_in_grid]]) {
  float2 screen = (2.0f * (float2(at) + 0.5f) - float2(size)) / float(size.y);
  float turn = 0.3f * time + 6.3f * mouse.x / float(size.x);
  float3 eye = float3(4.2f * sin(turn), 1.2f + 1.6f * mouse.y / float(size.y),
                      4.2f * cos(turn));
  float3 ahead = normalize(float3(0.0f, -0.1f, 0.0f) - eye);
  float3 right = normalize(cross(ahead, float3(0.0f, 1.0f, 0.0f)));
  float3 up = cross(right, ahead);
  float3 ray = normalize(screen.x * right - screen.y * up + 1.8f * ahead);
  float t = 0.0f, d = 1.0f;
  for (int i = 0; i < 48 && t < 14.0f && d > 0.002f; i++) {
    d = scene(eye + t * ray, time);
    t += d;
  }
  float3 sky = mix(float3(0.75f, 0.85f, 0.95f), float3(0.25f, 0.45f, 0.75f),
                   saturate(ray.y * 1.5f + 0.2f));
  float3 colour = sky;
  if (t < 14.0f) {
    float3 p = eye + t * ray, sun = normalize(float3(0.6f, 0.8f, 0.3f));
    float3 n = normal_at(p, time);
    bool on_floor = floor_of(p) < 0.01f;
    bool dark = (int(floor(p.x)) + int(floor(p.z))) & 1;
    float3 own = on_floor ? (dark ? float3(0.25f) : float3(0.7f))
                          : float3(0.95f, 0.45f, 0.2f);
    float lit = saturate(dot(n, sun));
    if (lit > 0.0f) lit *= shadow(p + 0.01f * n, sun, time);
    float shine = saturate(dot(reflect(ray, n), sun));
    shine = on_floor ? 0.0f : pow(shine, 24.0f) * lit;
    colour = own * (0.25f + 0.85f * lit) + 0.6f * shine;
    colour = mix(colour, sky, saturate(t / 14.0f) * saturate(t / 14.0f));
  }
  picture.write(float4(sqrt(saturate(colour)), 1.0f), at);
}
