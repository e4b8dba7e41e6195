/*
** kernel.h - a random kernel and what it stands on.
**
** source_prelude opens a module; source_kernel appends the kernel of a seed,
** "k<number>". The suite gives it the buffers in the order of the parameters.
*/
#ifndef RANDOM_KERNEL_H
#define RANDOM_KERNEL_H

#include "devices/device.h"
#include "tests/random/compound.h"
#include "tests/random/simple.h"

/* Words of each buffer; grids have at most GRID threads. */
#define GRID 3000
enum { IN, OUT, ACC, OWN, EXT, PAR, SMALL, FACC, UNI, MORE,
       RIN, ROWS, FLAT, PLANE, SWAP, ALSO, ROWS2, OWN8, LISTS, BUFFERS };
static const unsigned words[BUFFERS] = {32768,     GRID, 80, GRID, 28000,
                                        16,        256,  8,  16,   GRID * 8,
                                        200000,    GRID * 40, GRID * 4, 18432,
                                        16384, GRID * 8, GRID * 40,
                                        GRID * 8, GRID * 8};

/* Textures in the order of the parameters; the last two are written, a pixel of
** each thread's own. */
enum { TU, TF, TH, TA, TW, TR, TEXTURE_COUNT };
static const mt_TextureDesc texture_of[TEXTURE_COUNT] = {
    {MT_TEXTURE_2D, MT_RGBA8UINT, 37, 23, 1, 1},
    {MT_TEXTURE_2D, MT_RGBA8UNORM, 16, 9, 1, 1},
    {MT_TEXTURE_3D, MT_RGBA16FLOAT, 5, 6, 7, 1},
    {MT_TEXTURE_2D_ARRAY, MT_R16UINT, 9, 9, 1, 3},
    {MT_TEXTURE_2D, MT_RGBA32UINT, 64, (GRID + 63) / 64, 1, 1},
    {MT_TEXTURE_2D, MT_R32FLOAT, 64, (GRID + 63) / 64, 1, 1},
};

/* Lanes asked by number, of which only those that are active are listened
** to. */
static void source_lanes(mt_Str *out) {
  mt_str_add(
      out,
      "static "
      "uint active() { return uint(ulong(simd_active_threads_mask())); }\n"
      "template <typename T> static T heard(T x, T other, uint on, "
      "uint from) { return on >> (from & 31u) & 1u ? x : other; }\n"
      "#define BY(NAME, FROM, ...) template <typename T> static T NAME { "
      "uint on = active(); return heard(T(__VA_ARGS__), x, on, FROM); }\n"
      "#define WITH(s) (T x, uint s, uint lane)\n"
      "BY(shuffle_(T x, uint s), s, simd_shuffle(x, ushort(s)))\n"
      "BY(broadcast_(T x, uint s), s, simd_broadcast(x, ushort(s)))\n"
      "BY(xor_ WITH(m), lane ^ m, simd_shuffle_xor(x, ushort(m)))\n"
      "BY(up_ WITH(d), lane < d ? lane : lane - d, "
      "simd_shuffle_up(x, ushort(d)))\n"
      "BY(down_ WITH(d), lane + d > 31u ? lane : lane + d, "
      "simd_shuffle_down(x, ushort(d)))\n"
      "BY(rotate_up_ WITH(d), lane - d, simd_shuffle_rotate_up(x, ushort(d)))\n"
      "BY(rotate_down_ WITH(d), lane + d, "
      "simd_shuffle_rotate_down(x, ushort(d)))\n"
      "BY(fill_up_(T x, T y, uint d, uint lane), lane - d, "
      "simd_shuffle_and_fill_up(x, y, ushort(d)))\n"
      "BY(fill_down_(T x, T y, uint d, uint lane), lane + d, "
      "simd_shuffle_and_fill_down(x, y, ushort(d)))\n"
      "#define IN(m, d) ((lane & ~(m - 1u)) | ((d) & (m - 1u)))\n"
      "BY(fill_up_in_(T x, T y, uint d, uint m, uint lane), "
      "IN(m, lane - d), simd_shuffle_and_fill_up(x, y, ushort(d), "
      "ushort(m)))\n"
      "BY(fill_down_in_(T x, T y, uint d, uint m, uint lane), "
      "IN(m, lane + d), simd_shuffle_and_fill_down(x, y, ushort(d), "
      "ushort(m)))\n"
      "BY(quad_shuffle_ WITH(s), (lane & 28u) + s, "
      "quad_shuffle(x, ushort(s)))\n"
      "BY(quad_broadcast_ WITH(s), (lane & 28u) + s, "
      "quad_broadcast(x, ushort(s)))\n"
      "BY(quad_xor_ WITH(m), lane ^ m, quad_shuffle_xor(x, ushort(m)))\n"
      "BY(quad_up_ WITH(d), (lane & 3u) < d ? lane : lane - d, "
      "quad_shuffle_up(x, ushort(d)))\n"
      "BY(quad_down_ WITH(d), (lane & 3u) + d > 3u ? lane : lane + d, "
      "quad_shuffle_down(x, ushort(d)))\n");
}

static void source_prelude(mt_Str *out) {
  mt_str_add(
      out,
      "#include <metal_stdlib>\nusing namespace metal;\n"
      "#pragma clang fp contract(off)\n"
      "constant uint fc0 [[function_constant(0)]];\n"
      "constant bool fc1 [[function_constant(1)]];\n"
      "constant uint table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 35, 897, 93, "
      "238, 4626, 43383, 279};\n"
      "constexpr sampler by_pixel(coord::pixel, filter::nearest, "
      "address::clamp_to_edge);\n"
      "constexpr sampler around(coord::normalized, filter::nearest, "
      "address::repeat);\n"
      "constexpr sampler to_nought(coord::normalized, filter::nearest, "
      "address::clamp_to_zero);\n"
      "constexpr sampler mirrored(coord::normalized, filter::nearest, "
      "address::mirrored_repeat);\n"
      "struct S { uint a; ushort s; uchar c; };\n"
      "struct P { uint a; float x; ushort s; uchar c[2]; uint u; uint2 v; };\n"
      "struct Q { P p; uint list[3]; short2 sv; half hh; };\n"
      "struct Uni { uint4 v; uint n; float f; ushort s[4]; packed_uint3 p; "
      "uchar c; };\n"
      "static uint bits(float x) { float z = x + 0.0f; "
      "return isnan(z) ? 1u : as_type<uint>(z); }\n"
      "static half only(half x) { half z = x + 0.0h; "
      "return isnan(z) ? 1.0h : z; }\n"
      "static uint to_uint(float x) { return x >= "
      "0.0f && x < 4e9f ? uint(x) : 17u; }\n"
      "static uint change(thread uint *q, uint by) { *q += by; "
      "return *q ^ 3u; }\n"
      "static uint total(threadgroup uint *q, uint n, uint most) {\n"
      "  uint s = 0; for (uint k = 0; k < n && k < most; k++) s += q[k]; "
      "return s; }\n"
      "static P mix_up(P p, uint by) { p.a ^= by; p.v = p.v.yx + by; "
      "if (by & 1u) p.s++; return p; }\n"
      "static void bump(thread uint &r, uint by) { if (by & 2u) r += by; "
      "else r ^= by << 1; }\n"
      "static void twist(thread Q &q, uint k) { q.list[k % 3u] += k; "
      "if (k & 4u) { q.sv = q.sv.yx; return; } q.p.v.y ^= k; }\n"
      "static uint total_of(thread const Q &q, uint k) { uint s = q.p.s; "
      "for (uint z = 0; z < k; z++) s += q.list[z % 3u]; return s; }\n"
      "static void swap_two(thread uint4 &v, uint i, uint j) { "
      "uint z = v[i]; v[i] = v[j]; v[j] = z; }\n"
      "static uint sum_of(thread const uint *q, uint n) { uint s = 0; "
      "for (uint z = 0; z < n; z++) s = s * 3u + q[z]; return s; }\n"
      "static uint pick_from(device const uint *q, uint at, uint k) { "
      "if (k & 1u) return q[at]; return k & 2u ? q[at + 1u] : k; }\n"
      "static uint chase(device const uint *q, uint at, uint n) { "
      "for (uint z = 0; z < n; z++) at = q[at] & 1023u; return at; }\n");
  shapes_prelude(out);
  bound_prelude(out);
  source_lanes(out);
}

/* The variables of a kind, if there are some, from a and b. */
static void declare(Generator *g) {
  if (g->has & FLOATS)
    mt_str_add(g->out, "  float x = float(a & 255u), y = "
                       "float(int(b)) * 0.5f; half h = half(a & 63u);\n");
  if (g->has & WIDE) mt_str_add(g->out, "  ulong l = ulong(a) << 20 ^ b;\n");
  if (g->has & VECTORS)
    mt_str_add(g->out, "  uint4 v = uint4(a, b, lane, 7u);\n");
  if (g->has & NARROW)
    mt_str_add(g->out, "  short sh = short(a); char ch = char(b); "
                       "uchar us = uchar(a >> 8);\n");
  if ((g->has & NARROW) && (g->has & FLOATS))
    mt_str_add(g->out, "  bfloat bf = bfloat(x);\n");
  if ((g->has & VECTORS) && (g->has & FLOATS))
    mt_str_add(g->out, "  float4 w = float4(x, y, 1.5f, float(lane)); "
                       "half4 hv = half4(h, 1.0h, 2.0h, half(lane));\n");
  if (g->has & ARRAYS)
    mt_str_add(g->out, "  uint alike[16], top = 0; "
                       "for (uint z = 0; z < 16u; z++) "
                       "alike[z] = uni.n ^ z;\n"
                       "  uint big[24]; uchar bytes[16]; uint4 quads[4]; "
                       "float4 fours[2]; uint table2[4][4]; "
                       "short shorts[8];\n"
                       "  ulong longs[4]; half halves[8]; bool flags[8]; "
                       "packed_uint3 packs[2];\n"
                       "  for (uint z = 0; z < 16u; z++) "
                       "table2[z >> 2][z & 3u] = a + z;\n"
                       "  for (uint z = 0; z < 8u; z++) { "
                       "shorts[z] = short(b * z); halves[z] = half(z); "
                       "flags[z] = (a >> z) & 1u; }\n"
                       "  for (uint z = 0; z < 4u; z++) "
                       "longs[z] = ulong(a) * b + z;\n"
                       "  for (uint z = 0; z < 2u; z++) "
                       "packs[z] = uint3(a, b, z);\n"
                       "  for (uint z = 0; z < 24u; z++) big[z] = b + z;\n"
                       "  for (uint z = 0; z < 16u; z++) "
                       "bytes[z] = uchar(a * z);\n"
                       "  for (uint z = 0; z < 4u; z++) "
                       "quads[z] = uint4(a, z, b, lane);\n"
                       "  for (uint z = 0; z < 2u; z++) "
                       "fours[z] = float4(float(a & 15u), 1.0f, float(z), "
                       "2.0f);\n");
  if (g->has & STRUCTS)
    mt_str_add(g->out,
               "  P p = {a, 2.0f, ushort(b), {1, 2}, 5u, uint2(a, b)};\n"
               "  P ps[3] = {p, {b, float(lane), 3, {4, 5}, 6u, "
               "uint2(b, 1u)}, p};\n"
               "  Q rec = {p, {a, b, lane}, short2(3, 4), 2.5h}, "
               "rec2 = {ps[1], {b, b, 1u}, short2(lane, 9), 1.0h};\n");
}

/* All of them into one number, so that nothing is in vain. */
static void gather_up(Generator *g, const char *into) {
  mt_str_addf(g->out,
              "  uint %s = a + b * 3u + c * 5u + d * 7u + e * 11u + f * 13u;\n",
              into);
  if (g->has & FLOATS)
    mt_str_addf(g->out,
                "  %s = %s * 31u + bits(x) * 5u + bits(y) + "
                "uint(as_type<ushort>(only(h)));\n",
                into, into);
  if (g->has & WIDE)
    mt_str_addf(g->out, "  %s = %s * 31u + uint(l) + uint(l >> 32) * 3u;\n",
                into, into);
  if (g->has & VECTORS)
    mt_str_addf(g->out,
                "  %s = %s * 31u + v.x + v.y * 3u + v.z * 5u + v.w * 7u;\n",
                into, into);
  if (g->has & NARROW)
    mt_str_addf(g->out,
                "  %s = %s * 31u + uint(sh) + uint(ch) * 3u + uint(us) * 7u;\n",
                into, into);
  if ((g->has & NARROW) && (g->has & FLOATS))
    mt_str_addf(g->out, "  %s = %s * 31u + bits(float(bf));\n", into, into);
  if ((g->has & VECTORS) && (g->has & FLOATS))
    mt_str_addf(g->out,
                "  for (uint z = 0; z < 4u; z++) "
                "%s = %s * 31u + bits(w[z]) + "
                "uint(as_type<ushort>(only(hv[z])));\n",
                into, into);
  if (g->has & ARRAYS)
    mt_str_addf(g->out,
                "  for (uint z = 0; z < 16u; z++) "
                "%s = %s * 31u + table2[z & 3u][z >> 2] + "
                "uint(shorts[z & 7u]) + uint(flags[z & 7u])"
                " + uint(longs[z & 3u] >> 13) + "
                "uint(as_type<ushort>(only(halves[z & 7u]))) + "
                "packs[z & 1u][1];\n",
                into, into);
  if (g->has & ARRAYS)
    mt_str_addf(g->out,
                "  for (uint z = 0; z < 24u; z++) "
                "%s = %s * 31u + big[z] + bytes[z & 15u] + quads[z "
                "& 3u].x"
                " + bits(fours[z & 1u].x);\n",
                into, into);
  if (g->has & STRUCTS)
    mt_str_addf(g->out,
                "  for (uint z = 0; z < 3u; z++) "
                "%s = %s * 31u + ps[z].a + ps[z].s + ps[z].c[1] + "
                "ps[z].v.x;\n"
                "  %s += p.a + bits(p.x) + p.s + p.c[0] + p.v.y;\n"
                "  %s = %s * 31u + total_of(rec, "
                "3u) + uint(rec.sv.x) + rec.p.v.y + total_of(rec2, "
                "3u) + uint(rec2.sv.y) + rec2.p.a;\n",
                into, into, into, into, into);
}

/* A function with branches, loops and returns of its own, to be inlined. */
static void function(Generator *g) {
  int budget = 3 + (int)pick(g, 6);
  Generator f = {.random = g->random ^ 0x5bd1e995u,
                 .out = g->out,
                 .budget = budget,
                 .names = 100,
                 .counter = -1,
                 .has = g->has & ~(unsigned)(KERNEL | MATRIX | TEXTURES |
                                             SHAPES | TWINS | JOBS),
                 .number = g->number,
                 .functions = g->functions,
                 .inside = true};
  if (chance(g, 70)) f.has &= ~(unsigned)(ARRAYS | STRUCTS);
  mt_str_addf(
      g->out,
      "static uint h%u_%d(uint a, uint b, uint i, uint t, uint lane, "
      "uint n, uint tg, uint sg,\n"
      "    device const uint *in, device atomic_uint *acc, "
      "device atomic_float *facc,\n"
      "    constant uint *par, device const float *small, "
      "constant Uni &uni, thread uint *priv) {\n"
      "  uint c = a ^ b, d = in[(a + t) & 1023u], e = lane * 3u, f = n + tg;\n"
      "  d += sg + i;\n",
      g->number, g->functions);
  declare(&f);
  while (f.budget > 0) statement(&f);
  gather_up(&f, "all");
  mt_str_add(g->out, "  return all;\n}\n");
  g->functions++;
}

#define TOGETHER 16 /* kernels of one source: Clang is started once for them */

/* Is it compiled with fast math? Then its floats are whole numbers. */
static bool is_fast(uint64_t seed) { return seed / TOGETHER % 3 == 1; }

static Generator generator_of(uint64_t seed) {
  Generator g = {.random = seed * 0x9e3779b97f4a7c15u + 1, .uniform = true,
                 .counter = -1};
  static const unsigned parts[] = {LANES, ARRAYS, STRUCTS, WIDE, FLOATS,
                                   VECTORS, ATOMICS, NARROW, FAR, TEXTURES};
  static const unsigned often[] = {60, 20, 20, 25, 35, 25, 50, 25, 15, 12};
  for (int i = 0; i < 4; i++) pick(&g, 2);
  g.barriers = chance(&g, 50);
  g.has = KERNEL;
  g.small = chance(&g, 85);
  for (int i = 0; i < 10; i++)
    if (chance(&g, g.small ? often[i] / 3 : often[i])) g.has |= parts[i];
  if (g.barriers && chance(&g, g.small ? 5 : 15)) g.has |= MATRIX | FLOATS;
  if (chance(&g, g.small ? 35 : 50)) g.has |= SHAPES;
  if (chance(&g, 30)) g.has |= LINE;
  if (chance(&g, 20)) g.has |= TWINS;
  if (chance(&g, 15)) g.has |= JOBS;
  if (chance(&g, 15)) g.has = KERNEL | SHAPES | SIMPLE | (g.has & LINE);
  if (is_fast(seed)) g.has &= ~(unsigned)(FLOATS | FAR | MATRIX | TEXTURES);
  return g;
}

/* Does the kernel of this seed need groups of whole SIMD-groups? */
static bool needs_full_groups(uint64_t seed) {
  return generator_of(seed).has & MATRIX;
}

/* Is it one of simple.h? */
static bool is_simple(uint64_t seed) { return generator_of(seed).has & SIMPLE; }

/* Is it launched over a line? */
static bool needs_line(uint64_t seed) { return generator_of(seed).has & LINE; }

/* Where a thread is: in three dimensions, or as numbers of one. */
static void places(Generator *g) {
  const char *wide = chance(g, 70) ? "uint" : "ushort";
  if (!(g->has & LINE)) {
    mt_str_add(g->out, "    uint3 gid [[thread_position_in_grid]], "
                       "uint3 grid [[threads_per_grid]],\n"
                       "    uint3 group [[threadgroup_position_in_grid]], "
                       "uint3 per [[threads_per_threadgroup]],\n"
                       "    uint3 lp [[thread_position_in_threadgroup]], "
                       "uint t [[thread_index_in_threadgroup]],\n"
                       "    uint lane [[thread_index_in_simdgroup]], "
                       "uint sg [[simdgroup_index_in_threadgroup]]) {\n");
    return;
  }
  mt_str_addf(g->out,
              "    %s gid_ [[thread_position_in_grid]], "
              "uint grid_ [[threads_per_grid]], "
              "%s group_ [[threadgroup_position_in_grid]],\n"
              "    %s per_ [[threads_per_threadgroup]], "
              "%s lp_ [[thread_position_in_threadgroup]], "
              "%s t_ [[thread_index_in_threadgroup]],\n"
              "    %s lane_ [[thread_index_in_simdgroup]], "
              "uint sg [[simdgroup_index_in_threadgroup]]) {\n"
              "  const uint3 gid = uint3(gid_, 0u, 0u), grid = "
              "uint3(grid_, 1u, 1u), group = uint3(group_, 0u, 0u), per = "
              "uint3(per_, 1u, 1u),\n"
              "              lp = uint3(lp_, 0u, 0u);\n"
              "  const uint t = t_, lane = lane_;\n",
              wide, wide, wide, wide, wide, wide);
}

static void parameters(Generator *g) {
  mt_str_addf(
      g->out,
      "kernel void k%u(device const uint *in [[buffer(0)]], "
      "device uint *out [[buffer(1)]],\n"
      "    device atomic_uint *acc [[buffer(2)]], "
      "device atomic_uint *own [[buffer(3)]],\n"
      "    device uint *ext [[buffer(4)]], constant uint *par [[buffer(5)]],\n"
      "    device const float *small [[buffer(6)]], "
      "device atomic_float *facc [[buffer(7)]],\n"
      "    constant Uni &uni [[buffer(8)]], device uint *more [[buffer(9)]],\n"
      "    threadgroup uint *tgp [[threadgroup(0)]],\n",
      g->number);
  if (g->has & TEXTURES)
    mt_str_add(g->out,
               "    texture2d<uint> tu [[texture(0)]], "
               "texture2d<float> tf [[texture(1)]], "
               "texture3d<half> th [[texture(2)]],\n"
               "    texture2d_array<uint> ta [[texture(3)]], texture2d<uint, "
               "access::write> tw [[texture(4)]],\n"
               "    texture2d<float, access::read_write> tr [[texture(5)]],\n");
  if (g->has & SHAPES) shapes_parameters(g);
  bound_parameters(g);
  places(g);
}

/* Append "kernel void k<number>(…)" for 'seed'. */
static void source_kernel(mt_Str *out, uint64_t seed, unsigned number) {
  Generator g = generator_of(seed);
  g.out = out;
  g.number = number;
  g.budget = g.small           ? 3 + (int)pick(&g, 4)
             : chance(&g, 15) ? 10 + (int)pick(&g, 30)
                              : 6 + (int)pick(&g, 7);
  int last = g.budget / 3 + 1;
  for (unsigned n = !(g.has & SIMPLE) && chance(&g, 20) ? 1 + pick(&g, 2) : 0;
       n; n--)
    function(&g);
  parameters(&g);
  if (g.has & SIMPLE) {
    mt_str_add(out, "  uint i = (gid.z * grid.y + gid.y) * grid.x + gid.x, "
                    "n = per.x * per.y * per.z;\n");
    shapes_begin(&g);
    mt_str_add(out, "  uint tg = (group.z * groups.y + group.y) * groups.x "
                    "+ group.x;\n");
    simple_body(&g);
    mt_str_add(out, "}\n");
    return;
  }
  mt_str_add(out,
             "  uint i = (gid.z * grid.y + gid.y) * grid.x + gid.x, n = "
             "per.x * per.y * per.z;\n"
             "  uint tg = (group.z * 3u + group.y) * 5u + group.x;\n"
             "  uint a = in[i & 1023u], b = i * 7u, c = lane, d = t ^ 21u,\n"
             "       e = in[(i * 3u + 1u) & 1023u], f = gid.y + 5u;\n"
             "  uint priv[8];\n"
             "  for (uint z = 0; z < 8u; z++) priv[z] = a * z + i;\n");
  declare(&g);
  if (g.has & SHAPES) shapes_begin(&g);
  if (g.barriers)
    mt_str_add(out, "  threadgroup uint tile[1024];\n"
                    "  threadgroup atomic_uint count[4];\n"
                    "  threadgroup uint2 pairs[1024]; "
                    "threadgroup ushort stile[1024];\n");
  if (g.barriers && !(g.has & MATRIX))
    mt_str_add(out, "  threadgroup S stuff[1024];\n");
  if (g.has & MATRIX) mt_str_add(out, "  threadgroup float ftile[2048];\n");
  while (g.budget > last) statement(&g);
  g.uniform = false; /* no barrier from here on */
  g.may_return = true;
  while (g.budget > 0) statement(&g);
  gather_up(&g, "all");
  mt_str_add(out, "  for (uint z = 0; z < 8u; z++) all = all * 31u + priv[z];\n"
                  "  out[i] = all;\n}\n");
}

#endif
