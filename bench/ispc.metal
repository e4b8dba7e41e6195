// ispc.metal - the kernels of ISPC's own examples, for bench_ispc.lua: the same
// work in MSL as one would write it first, a thread for each result. Parameters
// stand in the order of the function that ISPC exports.
#include <metal_stdlib>
using namespace metal;

// ------------------------------------------------------------- mandelbrot

kernel void mandelbrot(constant float &x0, constant float &y0,
                       constant float &x1, constant float &y1,
                       constant uint &width, constant uint &height,
                       constant uint &most, device int *out,
                       uint2 at [[thread_position_in_grid]]) {
  float dx = (x1 - x0) / width, dy = (y1 - y0) / height;
  float cr = x0 + at.x * dx, ci = y0 + at.y * dy;
  float zr = cr, zi = ci;
  int i;
  for (i = 0; i < int(most); i++) {
    if (zr * zr + zi * zi > 4.0f) break;
    float re = zr * zr - zi * zi, im = 2.0f * zr * zi;
    zr = cr + re;
    zi = ci + im;
  }
  out[at.y * width + at.x] = i;
}

// ---------------------------------------------------------------- options

static float cumulative(float x) {
  float l = abs(x);
  float k = 1.0f / (1.0f + 0.2316419f * l);
  float k2 = k * k, k3 = k2 * k, k4 = k2 * k2, k5 = k3 * k2;
  float w = 0.31938153f * k - 0.356563782f * k2 + 1.781477937f * k3 +
            -1.821255978f * k4 + 1.330274429f * k5;
  w *= 0.39894228040f * exp(-l * l * 0.5f);
  return x > 0.0f ? 1.0f - w : w;
}

kernel void black_scholes(device const float *Sa, device const float *Xa,
                          device const float *Ta, device const float *ra,
                          device const float *va, device float *result,
                          constant uint &count,
                          uint i [[thread_position_in_grid]]) {
  float S = Sa[i], X = Xa[i], T = Ta[i], r = ra[i], v = va[i];
  float d1 = (log(S / X) + (r + v * v * 0.5f) * T) / (v * sqrt(T));
  float d2 = d1 - v * sqrt(T);
  result[i] = S * cumulative(d1) - X * exp(-r * T) * cumulative(d2);
}

#define STEPS 64
kernel void binomial(device const float *Sa, device const float *Xa,
                     device const float *Ta, device const float *ra,
                     device const float *va, device float *result,
                     constant uint &count,
                     uint i [[thread_position_in_grid]]) {
  float S = Sa[i], X = Xa[i], T = Ta[i], r = ra[i], v = va[i];
  float V[STEPS];
  float dt = T / STEPS;
  float u = exp(v * sqrt(dt));
  float d = 1.0f / u;
  float disc = exp(r * dt);
  float Pu = (disc - d) / (u - d);
  for (int j = 0; j < STEPS; j++)
    V[j] = max(0.0f, X - S * pow(u, float(2 * j - STEPS)));
  for (int j = STEPS - 1; j >= 0; j--)
    for (int k = 0; k < j; k++)
      V[k] = ((1.0f - Pu) * V[k] + Pu * V[k + 1]) / disc;
  result[i] = V[0];
}

// ------------------------------------------------------------------ noise

// 'perm' is a table of 512 numbers below 256, as Perlin's noise has.
static float grad(device const int *perm, int x, int y, int z, float dx,
                  float dy, float dz) {
  int h = perm[perm[perm[x] + y] + z] & 15;
  float u = h < 8 || h == 12 || h == 13 ? dx : dy;
  float v = h < 4 || h == 12 || h == 13 ? dy : dz;
  return (h & 1 ? -u : u) + (h & 2 ? -v : v);
}

static float weight(float t) {
  float t3 = t * t * t, t4 = t3 * t;
  return 6.0f * t4 * t - 15.0f * t4 + 10.0f * t3;
}

static float lerp(float t, float low, float high) {
  return (1.0f - t) * low + t * high;
}

static float noise_at(device const int *perm, float x, float y, float z) {
  int ix = int(floor(x)), iy = int(floor(y)), iz = int(floor(z));
  float dx = x - ix, dy = y - iy, dz = z - iz;
  ix &= 255;
  iy &= 255;
  iz &= 255;
  float w000 = grad(perm, ix, iy, iz, dx, dy, dz);
  float w100 = grad(perm, ix + 1, iy, iz, dx - 1, dy, dz);
  float w010 = grad(perm, ix, iy + 1, iz, dx, dy - 1, dz);
  float w110 = grad(perm, ix + 1, iy + 1, iz, dx - 1, dy - 1, dz);
  float w001 = grad(perm, ix, iy, iz + 1, dx, dy, dz - 1);
  float w101 = grad(perm, ix + 1, iy, iz + 1, dx - 1, dy, dz - 1);
  float w011 = grad(perm, ix, iy + 1, iz + 1, dx, dy - 1, dz - 1);
  float w111 = grad(perm, ix + 1, iy + 1, iz + 1, dx - 1, dy - 1, dz - 1);
  float wx = weight(dx), wy = weight(dy), wz = weight(dz);
  float x00 = lerp(wx, w000, w100), x10 = lerp(wx, w010, w110);
  float x01 = lerp(wx, w001, w101), x11 = lerp(wx, w011, w111);
  return lerp(wz, lerp(wy, x00, x10), lerp(wy, x01, x11));
}

kernel void noise(constant float &x0, constant float &y0, constant float &x1,
                  constant float &y1, constant uint &width,
                  constant uint &height, device float *out,
                  device const int *perm,
                  uint2 at [[thread_position_in_grid]]) {
  float x = x0 + at.x * ((x1 - x0) / width);
  float y = y0 + at.y * ((y1 - y0) / height);
  float sum = 0.0f, lambda = 1.0f, o = 1.0f;
  for (int i = 0; i < 8; i++) {
    sum += abs(o * noise_at(perm, lambda * x, lambda * y, lambda * 0.6f));
    lambda *= 1.99f;
    o *= 0.6f;
  }
  out[at.y * width + at.x] = sum * 0.5f;
}

// ---------------------------------------------------------------- stencil

kernel void stencil(constant uint &edge, constant uint &nx, constant uint &ny,
                    constant uint &nz, constant float *coef,
                    device const float *vsq, device const float *in,
                    device float *out, uint3 at [[thread_position_in_grid]]) {
  int nxy = nx * ny;
  int index = (at.z + edge) * nxy + (at.y + edge) * nx + at.x + edge;
#define A(x, y, z) in[index + (x) + (y) * int(nx) + (z) * nxy]
#define RING(d)                                                               \
  (A(d, 0, 0) + A(-d, 0, 0) + A(0, d, 0) + A(0, -d, 0) + A(0, 0, d) +         \
   A(0, 0, -d))
  float div = coef[0] * A(0, 0, 0) + coef[1] * RING(1) + coef[2] * RING(2) +
              coef[3] * RING(3);
  out[index] = 2 * A(0, 0, 0) - out[index] + vsq[index] * div;
}

// ---------------------------------------------------- ambient occlusion

struct Isect {
  float t;
  float3 p, n;
  bool hit;
};
struct Sphere {
  float3 center;
  float radius;
};
struct Plane {
  float3 p, n;
};

// Four shift registers with feedback, as ISPC's random numbers.
struct Random {
  uint z1, z2, z3, z4;
  Random(uint s)
      : z1(s), z2(s ^ 0xbeeff00d), z3(s << 16 | s >> 16),
        z4(s << 24 | (s & 0xff00) << 8 | (s >> 8 & 0xff00) | s >> 24) {}
  float next() {
    z1 = (z1 & 4294967294u) << 18 ^ ((z1 << 6 ^ z1) >> 13);
    z2 = (z2 & 4294967288u) << 2 ^ ((z2 << 2 ^ z2) >> 27);
    z3 = (z3 & 4294967280u) << 7 ^ ((z3 << 13 ^ z3) >> 21);
    z4 = (z4 & 4294967168u) << 13 ^ ((z4 << 3 ^ z4) >> 12);
    uint bits = (z1 ^ z2 ^ z3 ^ z4) & 0x7fffff;
    return as_type<float>(0x3f800000 | bits) - 1.0f;
  }
};

static void meet_plane(thread Isect &isect, float3 org, float3 dir, Plane pl) {
  float v = dot(dir, pl.n);
  if (abs(v) < 1.0e-17f) return;
  float t = -(dot(org, pl.n) - dot(pl.p, pl.n)) / v;
  if (t > 0.0f && t < isect.t) {
    isect.t = t;
    isect.hit = true;
    isect.p = org + dir * t;
    isect.n = pl.n;
  }
}

static void meet_sphere(thread Isect &isect, float3 org, float3 dir,
                        Sphere s) {
  float3 rs = org - s.center;
  float B = dot(rs, dir), C = dot(rs, rs) - s.radius * s.radius;
  float D = B * B - C;
  if (D > 0.0f) {
    float t = -B - sqrt(D);
    if (t > 0.0f && t < isect.t) {
      isect.t = t;
      isect.hit = true;
      isect.p = org + t * dir;
      isect.n = normalize(isect.p - s.center);
    }
  }
}

constant Plane ground = {{0.0f, -0.5f, 0.0f}, {0.0f, 1.0f, 0.0f}};
constant Sphere spheres[3] = {{{-2.0f, 0.0f, -3.5f}, 0.5f},
                              {{-0.5f, 0.0f, -3.0f}, 0.5f},
                              {{1.0f, 0.0f, -2.2f}, 0.5f}};

static Isect trace(float3 org, float3 dir) {
  Isect isect = {1.0e+17f, float3(0), float3(0), false};
  for (int i = 0; i < 3; i++) meet_sphere(isect, org, dir, spheres[i]);
  meet_plane(isect, org, dir, ground);
  return isect;
}

static void basis_of(thread float3 *basis, float3 n) {
  basis[2] = n;
  basis[1] = float3(0);
  if (n.x < 0.6f && n.x > -0.6f)
    basis[1].x = 1.0f;
  else if (n.y < 0.6f && n.y > -0.6f)
    basis[1].y = 1.0f;
  else if (n.z < 0.6f && n.z > -0.6f)
    basis[1].z = 1.0f;
  else
    basis[1].x = 1.0f;
  basis[0] = normalize(cross(basis[1], basis[2]));
  basis[1] = normalize(cross(basis[2], basis[0]));
}

#define SAMPLES 8
static float occlusion_at(Isect isect, thread Random &random) {
  float3 basis[3], p = isect.p + 0.0001f * isect.n;
  float occluded = 0.0f;
  basis_of(basis, isect.n);
  for (int j = 0; j < SAMPLES; j++)
    for (int i = 0; i < SAMPLES; i++) {
      float theta = sqrt(random.next());
      float phi = 2.0f * M_PI_F * random.next();
      float x = cos(phi) * theta, y = sin(phi) * theta;
      float z = sqrt(1.0f - theta * theta);
      float3 dir = x * basis[0] + y * basis[1] + z * basis[2];
      if (trace(p, dir).hit) occluded += 1.0f;
    }
  return (SAMPLES * SAMPLES - occluded) / (SAMPLES * SAMPLES);
}

kernel void ao(constant uint &w, constant uint &h, constant uint &subsamples,
               device float *image, uint2 at [[thread_position_in_grid]]) {
  Random random(at.x + (at.y << (at.x & 15)));
  float inverse = 1.0f / subsamples, sum = 0.0f;
  for (uint u = 0; u < subsamples; u++)
    for (uint v = 0; v < subsamples; v++) {
      float px = (at.x + u * inverse - w / 2.0f) / (w / 2.0f);
      float py = -(at.y + v * inverse - h / 2.0f) / (h / 2.0f);
      float3 dir = normalize(float3(px * w / h, py, -1.0f));
      Isect isect = trace(float3(0), dir);
      if (isect.hit) sum += occlusion_at(isect, random) * inverse * inverse;
    }
  device float *pixel = image + 3 * (at.y * w + at.x);
  pixel[0] += sum;
  pixel[1] += sum;
  pixel[2] += sum;
}

// ----------------------------------------------------------------- volume

struct Ray {
  float3 origin, dir;
};

static Ray camera_ray(constant float (&raster)[4][4],
                      constant float (&world)[4][4], float x, float y) {
  float3 cam = float3(raster[0][0] * x + raster[0][1] * y + raster[0][3],
                      raster[1][0] * x + raster[1][1] * y + raster[1][3],
                      raster[2][3]) /
               raster[3][3];
  Ray ray;
  for (int i = 0; i < 3; i++) {
    ray.dir[i] =
        world[i][0] * cam.x + world[i][1] * cam.y + world[i][2] * cam.z;
    ray.origin[i] = world[i][3] / world[3][3];
  }
  return ray;
}

static bool meets_box(Ray ray, float3 low, float3 high, thread float &hit0,
                      thread float &hit1) {
  float3 near = (low - ray.origin) / ray.dir;
  float3 far = (high - ray.origin) / ray.dir;
  float t0 = -1e30f, t1 = 1e30f;
  for (int i = 0; i < 3; i++) {
    if (near[i] > far[i]) {
      float swap = near[i];
      near[i] = far[i];
      far[i] = swap;
    }
    t0 = max(near[i], t0);
    t1 = min(far[i], t1);
  }
  if (t0 > t1) return false;
  hit0 = t0;
  hit1 = t1;
  return true;
}

struct Volume {
  device const float *density;
  int nx, ny, nz;
  float3 low, high;
};

static float voxel(thread const Volume &v, int x, int y, int z) {
  x = clamp(x, 0, v.nx - 1);
  y = clamp(y, 0, v.ny - 1);
  z = clamp(z, 0, v.nz - 1);
  return v.density[z * v.nx * v.ny + y * v.nx + x];
}

static float density_at(thread const Volume &v, float3 p) {
  if (!(p.x >= v.low.x && p.x <= v.high.x && p.y >= v.low.y &&
        p.y <= v.high.y && p.z >= v.low.z && p.z <= v.high.z))
    return 0.0f;
  float3 vox = (p - v.low) / (v.high - v.low);
  vox = vox * float3(v.nx, v.ny, v.nz) - 0.5f;
  int x = int(vox.x), y = int(vox.y), z = int(vox.z);
  float dx = vox.x - x, dy = vox.y - y, dz = vox.z - z;
  float d00 = lerp(dx, voxel(v, x, y, z), voxel(v, x + 1, y, z));
  float d10 = lerp(dx, voxel(v, x, y + 1, z), voxel(v, x + 1, y + 1, z));
  float d01 = lerp(dx, voxel(v, x, y, z + 1), voxel(v, x + 1, y, z + 1));
  float d11 =
      lerp(dx, voxel(v, x, y + 1, z + 1), voxel(v, x + 1, y + 1, z + 1));
  return lerp(dz, lerp(dy, d00, d10), lerp(dy, d01, d11));
}

static float transmittance(thread const Volume &v, float3 p0, float3 p1,
                           float sigma) {
  float t0, t1;
  Ray ray = {p1, p0 - p1};
  if (!meets_box(ray, v.low, v.high, t0, t1)) return 1.0f;
  t0 = max(t0, 0.0f);
  float tau = 0.0f, step = 0.2f, stepT = step / length(ray.dir), t = t0;
  float3 pos = ray.origin + ray.dir * t0, dirStep = ray.dir * stepT;
  while (t < t1) {
    tau += step * sigma * density_at(v, pos);
    pos = pos + dirStep;
    t += stepT;
  }
  return exp(-tau);
}

static float march(thread const Volume &v, Ray ray) {
  float t0, t1;
  float3 light = float3(-1, 4, 1.5f);
  if (!meets_box(ray, v.low, v.high, t0, t1)) return 0.0f;
  t0 = max(t0, 0.0f);
  float absorbs = 10.0f, scatters = 10.0f, step = 0.025f;
  float tau = 0.0f, L = 0.0f, stepT = step / length(ray.dir), t = t0;
  float3 pos = ray.origin + ray.dir * t0, dirStep = ray.dir * stepT;
  while (t < t1) {
    float d = density_at(v, pos), atten = exp(-tau);
    if (atten < 0.005f) break;
    float Li = 40.0f / distance_squared(light, pos) *
               transmittance(v, light, pos, absorbs + scatters);
    L += step * atten * d * scatters * (Li + 0.25f);
    tau += step * (absorbs + scatters) * d;
    pos = pos + dirStep;
    t += stepT;
  }
  return pow(L, 1.0f / 2.2f);
}

kernel void volume(device const float *density, constant int *voxels,
                   constant float (&raster)[4][4],
                   constant float (&world)[4][4], constant uint &width,
                   constant uint &height, device float *image,
                   uint2 at [[thread_position_in_grid]]) {
  Volume v = {density,        voxels[0],
              voxels[1],      voxels[2],
              {.3f, -.2f, .3f}, {1.8f, 2.3f, 1.8f}};
  Ray ray = camera_ray(raster, world, at.x, at.y);
  image[at.y * width + at.x] = march(v, ray);
}

// ------------------------------------------------------------- ray tracer

struct Triangle {
  float p[3][4];
  int id;
  int pad[3];
};
struct Node {
  float bounds[2][3];
  uint offset; // of the second child, or the first triangle of a leaf
  uchar triangles, axis;
  ushort pad;
};

static bool meets_node(device const Node &node, Ray ray, float3 inverse,
                       float most) {
  float t0 = 0.0f, t1 = most;
  for (int i = 0; i < 3; i++) {
    float near = (node.bounds[0][i] - ray.origin[i]) * inverse[i];
    float far = (node.bounds[1][i] - ray.origin[i]) * inverse[i];
    if (near > far) {
      float swap = near;
      near = far;
      far = swap;
    }
    t0 = max(near, t0);
    t1 = min(far, t1);
  }
  return t0 <= t1;
}

static void meet_triangle(device const Triangle &tri, Ray ray,
                          thread float &most, thread int &id) {
  float3 p0 = float3(tri.p[0][0], tri.p[0][1], tri.p[0][2]);
  float3 p1 = float3(tri.p[1][0], tri.p[1][1], tri.p[1][2]);
  float3 p2 = float3(tri.p[2][0], tri.p[2][1], tri.p[2][2]);
  float3 e1 = p1 - p0, e2 = p2 - p0;
  float3 s1 = cross(ray.dir, e2);
  float divisor = dot(s1, e1);
  bool hit = divisor != 0.0f;
  float inverse = 1.0f / divisor;
  float3 d = ray.origin - p0;
  float b1 = dot(d, s1) * inverse;
  if (b1 < 0.0f || b1 > 1.0f) hit = false;
  float3 s2 = cross(d, e1);
  float b2 = dot(ray.dir, s2) * inverse;
  if (b2 < 0.0f || b1 + b2 > 1.0f) hit = false;
  float t = dot(e2, s2) * inverse;
  if (t < 0.0f || t > most) hit = false;
  if (hit) {
    most = t;
    id = tri.id;
  }
}

// The rays of a SIMD-group take one way through the tree.
kernel void raytrace(constant uint &width, constant uint &height,
                     constant uint &baseWidth, constant uint &baseHeight,
                     constant float (&raster)[4][4],
                     constant float (&world)[4][4], device float *image,
                     device int *ids, device const Node *nodes,
                     device const Triangle *triangles,
                     uint2 at [[thread_position_in_grid]]) {
  Ray ray = camera_ray(raster, world, at.x * (float(baseWidth) / width),
                       at.y * (float(baseHeight) / height));
  float3 inverse = 1.0f / ray.dir;
  bool negative[3];
  for (int i = 0; i < 3; i++) negative[i] = simd_any(inverse[i] < 0.0f);
  float most = 1e30f;
  int id = 0, waiting = 0, at_node = 0, todo[64];
  while (true) {
    device const Node &node = nodes[at_node];
    if (simd_any(meets_node(node, ray, inverse, most))) {
      if (node.triangles == 0) {
        if (negative[node.axis]) {
          todo[waiting++] = at_node + 1;
          at_node = node.offset;
        } else {
          todo[waiting++] = node.offset;
          at_node = at_node + 1;
        }
        continue;
      }
      for (uint i = 0; i < node.triangles; i++)
        meet_triangle(triangles[node.offset + i], ray, most, id);
    }
    if (waiting == 0) break;
    at_node = todo[--waiting];
  }
  image[at.y * width + at.x] = most;
  ids[at.y * width + at.x] = id;
}
