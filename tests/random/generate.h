/*
** generate.h - random kernels whose results are known to be well defined:
** expressions and simple statements. compound.h adds control flow, shapes.h
** what people write, bound.h other ways to bind buffers, simple.h kernels of
** few lines, kernel.h the kernel around it.
**
** A seed gives a kernel. It mixes what is hard for a vectoriser: divergent
** control flow, addresses with a pattern and without, private arrays and
** pointers into them, structs, short vectors, small and large types,
** cross-lane operations, threadgroup memory with barriers, atomics. What Metal
** leaves undefined does not occur: shifts and indices are masked, threadgroup
** memory is written before it is read, a float becomes an integer only within
** its range, nothing is taken from a lane that is not active. The one exception
** is a divisor of zero, and of -1, for which the host device promises an
** answer. Floats are compared by their bits, but NaN is NaN and there is one
** zero.
**
** A seed's kernel is the same whatever compiled this: no two numbers are drawn
** in one expression, whose parts a compiler may take in any order.
**
** The one idea: an expression is a text with holes, and a hole is filled by
** another text of the hole's type.
*/
#ifndef RANDOM_GENERATE_H
#define RANDOM_GENERATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

#define VARIABLES 6 /* uint a … f */

/* What a kernel has beyond the plainest; a text may need some of it. */
enum {
  LANES = 1,    /* cross-lane operations */
  ARRAYS = 2,   /* 'bytes', 'big', 'quads', … */
  STRUCTS = 4,  /* 'p', 'ps', 'rec' */
  WIDE = 8,     /* 'l', 64 bits */
  FLOATS = 16,  /* 'x', 'y', 'h' */
  VECTORS = 32, /* 'v'; with FLOATS 'w' and 'hv' */
  KERNEL = 64,  /* only in the kernel itself: 'ext', 'own', gid */
  ATOMICS = 128,
  MATRIX = 256, /* needs full SIMD-groups */
  NARROW = 512, /* 'sh', 'ch', 'us': 16 and 8 bits; with FLOATS 'bf' */
  FAR = 1024,   /* mathematical functions */
  TEXTURES = 2048, /* 'tu', 'tf', 'th', 'ta' to read, 'tw' and 'tr' to write */
  SHAPES = 4096,   /* shapes.h */
  LINE = 8192,     /* of one dimension, as most are */
  TWINS = 16384,   /* bound.h: 'also' and 'rows2', which may be others */
  JOBS = 32768,    /* 'job', a struct with pointers */
  SIMPLE = 65536   /* simple.h, and nothing else */
};

typedef struct Generator {
  uint64_t random;
  mt_Str *out;
  int budget;      /* statements left */
  int depth;
  int loops;       /* loops around; 'break' and 'continue' are possible */
  int names;       /* for fresh names */
  int counter;     /* of the loop around: k<counter>; -1: none */
  bool uniform;    /* control flow here is the same for the whole group */
  bool may_return; /* no barrier follows */
  bool barriers;   /* this kernel has some */
  unsigned has;    /* of the above */
  unsigned number; /* of the kernel */
  int functions;   /* that can be called from here: h<number>_0, … */
  bool inside;     /* this is one of them */
  bool small;      /* few statements, with little of the above */
} Generator;

static uint32_t pick(Generator *g, uint32_t n) {
  g->random = g->random * 6364136223846793005u + 1442695040888963407u;
  uint64_t x = g->random ^ g->random >> 33;
  return (uint32_t)((x * 0xff51afd7ed558ccdu) >> 32) % n;
}

static bool chance(Generator *g, uint32_t percent) {
  return pick(g, 100) < percent;
}

static char variable(Generator *g) { return (char)('a' + pick(g, VARIABLES)); }

static void indent(Generator *g) {
  for (int i = -1; i < g->depth; i++) mt_str_add(g->out, "  ");
}

/* ------------------------------------------------------------------- texts */

typedef struct Text {
  unsigned needs;
  const char *text;
} Text;

/*
** Holes: %U uint, %I int, %F float, %H half, %D bfloat, %L ulong, %V uint4, %W
** float4, %S short, %B bool; %v a variable, %c a small number, %C any, %k 0…7,
** %r 0…31, %m a mask below 32; %P an index below 4096 that is often a pattern
** over the threads, %Q one below 16384, %T one below 1024.
*/
static const Text uints[] = {
    {0, "(%U + %U)"}, {0, "(%U + %U)"}, {0, "(%U - %U)"}, {0, "(%U * %U)"},
    {0, "(%U ^ %U)"}, {0, "(%U & %U)"}, {0, "(%U | %U)"},
    {0, "(%U << (%U & 31u))"}, {0, "(%U >> (%U & 31u))"},
    {0, "(%U / (%U | 1u))"}, {0, "(%U % (%U | 1u))"}, {0, "(%U % %c1u)"},
    {0, "uint(%I)"}, {0, "uint(%I >> (%U & 31u))"},
    {0, "uint(%I / int((%U & 65535u) | 1u))"},
    {0, "min(%U, %U)"}, {0, "uint(max(%I, %I))"}, {0, "popcount(%U)"},
    {0, "reverse_bits(%U)"}, {0, "mulhi(%U, %U)"}, {0, "clz(%U)"},
    {0, "rotate(%U, %U & 31u)"}, {0, "addsat(%U, %U)"},
    {0, "extract_bits(%U, %k, 9u)"}, {0, "(~%U)"},
    {0, "uint(uchar(%U + %U))"}, {0, "uint(int(short(%U)))"},
    {0, "uint(ushort(%U * %U))"}, {0, "uint(char(%U) < char(%U))"},
    {0, "(%B ? %U : %U)"}, {0, "(%B ? %U : %U)"}, {0, "uint(%B)"},
    {0, "select(%U, %U, %B)"},
    {0, "in[%P]"}, {0, "in[%P]"}, {0, "in[%Q]"}, {0, "in[%U & 1023u]"},
    {0, "(i > 0u ? in[i - 1u] : 7u)"},
    {0, "(t >= %ku ? in[t - %ku & 4095u] : %U)"},
    {0, "in[int(i) + %k]"}, {0, "in[%v & 63u]"},
    {0, "uint(((device const ushort *)in)[%Q])"},
    {0, "uint(((device const uchar *)in)[%Q])"},
    {0, "uint(int(((device const short *)in)[%Q]))"},
    {0, "((device const uint2 *)in)[%P].y"},
    {0, "priv[%U & 7u]"}, {0, "priv[%k]"}, {0, "priv[%v & 7u]"},
    {0, "table[%U & 15u]"}, {0, "table[%k]"}, {0, "fc0"},
    {0, "par[%U & 15u]"}, {0, "par[%k]"},
    {ARRAYS, "alike[top & 15u]"}, {ARRAYS, "alike[%k & 15]"},
    {ARRAYS, "alike[%U & 15u]"},
    {ARRAYS, "big[%U % 24u]"}, {ARRAYS, "uint(bytes[%U & 15u])"},
    {ARRAYS, "quads[%U & 3u].z"}, {ARRAYS, "quads[%k & 3u][%U & 3u]"},
    {STRUCTS, "p.a"}, {STRUCTS, "uint(p.s)"}, {STRUCTS, "uint(p.c[%U & 1u])"},
    {STRUCTS, "p.v.y"}, {STRUCTS, "ps[%U % 3u].a"},
    {STRUCTS, "ps[%U % 3u].v.x"}, {STRUCTS, "bits(ps[%U % 3u].x)"},
    {STRUCTS, "((device const P *)in)[%P].v.x"},
    {STRUCTS, "uint(((device const P *)in)[%P].c[%U & 1u])"},
    {STRUCTS, "((device const packed_uint3 *)in)[%P].z"},
    /* by nought, and the least number by -1: not a fault, on any machine */
    {0, "(%U / (in[%P] & 3u))"}, {0, "(%U % (in[%P] & 1u))"},
    {0, "uint(%I / (int(in[%P] & 3u) - 1))"},
    {0, "uint(%I % (int(in[%P] & 1u) - 1))"},
    {0, "uint(int(in[%P] | 0x80000000u) / (int(%U & 3u) - 2))"},
    {0, "absdiff(%U, %U)"}, {0, "hadd(%U, %U)"}, {0, "rhadd(%U, %U)"},
    {0, "ctz(%U)"}, {0, "subsat(%U, %U)"}, {0, "insert_bits(%U, %U, %k, 11u)"},
    {0, "mad24(%U & 4095u, %U & 4095u, %U)"}, {0, "madhi(%U, %U, %U)"},
    {0, "median3(%U, %U, %U)"}, {0, "clamp(%U, %ku, %cu + 9u)"},
    {0, "max3(%U, %U, %U)"}, {0, "min3(%U, %v, %cu)"}, {0, "(-%U)"},
    {0, "uint(!%U)"}, {0, "uni.n"}, {0, "uni.v[%U & 3u]"}, {0, "uni.v.z"},
    {0, "uint(uni.s[%U & 3u])"},
    {0, "uint(uni.c)"}, {0, "uint3(uni.p).y"}, {0, "par[(%v + tg) & 15u]"},
    {0, "pick_from(in, %P, %U)"}, {0, "sum_of(priv, %U & 7u)"},
    {0, "((device const packed_uint3 *)in)[%P][1]"},
    {0, "uint3(((device const packed_uint3 *)in)[%P]).z"},
    {0, "uint(((device const uchar4 *)in)[%P].w)"},
    {0, "uint(((device const char2 *)in)[%Q].x)"}, {NARROW, "uint(%S)"},
    {NARROW, "uint(ushort(%S) >> (%U & 15u))"}, {NARROW, "uint(ch)"},
    {NARROW, "uint(us)"}, {NARROW, "uint(char4(sh, ch, us, 3).y)"},
    {NARROW, "uint(%S / (%S & short(3)))"},
    {NARROW, "uint(uchar(us) / uchar(in[%P] & 7u))"},
    {NARROW | FLOATS, "bits(float(%D))"}, {NARROW | FLOATS, "uint(%D < %D)"},
    {ARRAYS, "table2[%U & 3u][%U & 3u]"}, {ARRAYS, "uint(shorts[%U & 7u])"},
    {ARRAYS, "uint(flags[%U & 7u])"}, {ARRAYS, "sum_of(big, %U % 24u)"},
    {ARRAYS | WIDE, "uint(longs[%U & 3u] >> 9)"},
    {ARRAYS, "uint3(packs[%U & 1u]).x"},
    {STRUCTS, "rec.list[%U % 3u]"}, {STRUCTS, "rec.p.a"},
    {STRUCTS, "uint(rec.sv.y)"}, {STRUCTS, "total_of(rec, %U & 3u)"},
    {STRUCTS, "((device const P *)in)[%P].v.y"},
    {STRUCTS, "uint(((device const P *)in)[%P].c[%U & 1u])"},
    {WIDE, "uint(%L)"}, {WIDE, "uint(%L >> 32)"},
    {WIDE, "uint(%L >> (%U & 63u))"},
    {WIDE, "uint(popcount(%L))"}, {WIDE, "uint(long(%L) >> 40)"},
    {FLOATS, "bits(%F)"}, {FLOATS, "to_uint(%F)"},
    {FLOATS, "uint(as_type<ushort>(only(%H)))"},
    {VECTORS, "%V.x"}, {VECTORS, "%V.w"}, {VECTORS, "v[%U & 3u]"},
    {VECTORS, "v.y"}, {VECTORS, "(%V).wzyx.y"},
    {VECTORS, "uint((ushort4(%V) + ushort4(%V)).z)"},
    {VECTORS, "uint((uchar3(%V.xyz) - uchar3(%U)).y)"},
    {NARROW | VECTORS, "uint((short3(sh, %S, short(%U)) * short3(%S, sh, "
                       "short(3))).z)"},
    {NARROW | VECTORS, "uint((char4(ch, char(us), ch, 3) >> char4(1)).x)"},
    {WIDE | VECTORS, "uint((ulong3(%L, l, ulong(%U)) + ulong3(%V.xyz)).zxy.y "
                     ">> 11)"},
    {WIDE, "uint(long2(long(%L), long(%I)).yx.x >> 3)"},
    {TEXTURES, "tu.read(uint2(%U % 37u, %U % 23u)).y"},
    {TEXTURES, "tu.read(uint2((i + %cu) % 37u, tg % 23u)).w"},
    {TEXTURES, "tu.read(uint2(gid.x % 37u, gid.y % 23u)).x"},
    {TEXTURES, "uint(ta.read(ushort2(t & 7u, lane % 9u), %U % 3u).x)"},
    {TEXTURES, "(tu.get_width() * tg + ta.get_array_size())"},
    {TEXTURES, "tu.sample(by_pixel, float2(%U & 63u, lane)).z"},
};

static const Text ints[] = {
    {0, "int(%U)"}, {0, "int(%U + %U)"}, {0, "int(%U - %U)"},
    {0, "int(%U & 1023u)"},
    {0, "int(0u - %U)"}, {0, "abs(int(short(%U)))"}, {0, "clamp(%I, -%c, %c)"},
    {0, "(%I % int((%U & 1023u) | 1u))"}, {0, "int(char(%U))"}, {0, "int(t)"},
    {WIDE, "int(%L)"}, {FLOATS, "int(to_uint(%F) & 65535u)"},
    {NARROW, "int(%S)"}, {NARROW, "(int(%S) * int(%S))"},
    {0, "min(%I, int(%U))"}, {0, "int3(%I, %I, 4).zyx.y"},
    {0, "select(%I, -%c, %B)"}, {0, "(%I >> (%U & 31u))"}, {0, "abs(%I >> 1)"},
    {0, "int(sign(float(%I & 255) - 99.0f))"}, {0, "mulhi(%I, %I)"},
    {0, "addsat(%I, %I)"},
};

static const Text floats[] = {
    {0, "x"}, {0, "y"}, {0, "x"}, {0, "%c.5f"}, {0, "float(%U & 255u)"},
    {0, "float(%I)"}, {0, "(%F + %F)"}, {0, "(%F * %F)"}, {0, "(%F - %F)"},
    {0, "fma(float(%F), float(%F), float(%F))"},
    {0, "(%F / (fabs(%F) + 1.0f))"},
    {0, "sqrt(fabs(%F))"}, {0, "floor(%F)"}, {0, "fmin(%F, %F)"},
    {0, "(%B ? %F : %F)"}, {0, "float(%H)"},
    {0, "((device const float *)in)[%P]"},
    {0, "small[%U & 255u]"}, {0, "small[%k]"}, {0, "(x * %F + %F * y)"},
    {0, "float3(%F, x, y).zxy.x"}, {0, "fract(%F)"}, {VECTORS, "float4(%V).y"},
    {ARRAYS, "fours[%U & 1u].x"}, {ARRAYS, "fours[%k & 1u].w"},
    {STRUCTS, "p.x"},
    {WIDE, "float(%L)"}, {0, "rint(%F)"}, {0, "fmax(%F, %F)"},
    {VECTORS, "%W.x"}, {VECTORS, "%W.w"}, {VECTORS, "w[%U & 3u]"},
    {VECTORS, "dot(float3(%U & 7u, 2u, 3u), float3(1.0f, %U & 3u, 4.0f))"},
    {0, "uni.f"}, {0, "float(uni.s[%k & 3])"}, {0, "clamp(%F, -%c.0f, %c.25f)"},
    {0, "(-%F)"}, {0, "fabs(%F)"}, {0, "select(%F, %F, %B)"},
    {0, "step(%F, %F)"}, {0, "copysign(%F, %F)"}, {0, "trunc(%F)"},
    {0, "round(%F)"}, {0, "ceil(%F)"}, {0, "ldexp(%F, int(%U & 7u))"},
    {0, "as_type<float>(%U)"}, {0, "fdim(%F, %F)"}, {0, "saturate(%F)"},
    {FAR, "exp(%F)"}, {FAR, "log(fabs(%F))"}, {FAR, "sin(%F)"},
    {FAR, "cos(fract(%F) * 9.0f)"}, {FAR, "tanh(%F)"},
    {FAR, "pow(fabs(%F), 1.5f)"}, {FAR, "rsqrt(fabs(%F) + 1.0f)"},
    {FAR, "atan2(%F, %F)"}, {FAR, "exp2(%F)"}, {FAR, "fmod(%F, 3.5f)"},
    {NARROW, "float(%D)"}, {ARRAYS, "halves[%U & 7u]"},
    {STRUCTS, "float(rec.hh)"},
    {VECTORS, "float((half3(%H, h, %c.5h) * half3(hv.xyz)).zxy.y)"},
    {VECTORS, "float(half2(%W.xy).y)"},
    {NARROW | VECTORS, "float((bfloat4(bf, %D, bf, %D) + bfloat4(%D)).z)"},
    {NARROW | VECTORS, "float(bfloat3(%W.xyz).y)"},
    {VECTORS, "float2x2(x, %F, y, 1.5f)[%U & 1u].y"},
    {VECTORS, "transpose(float3x3(w.x, w.y, w.z, x, y, %F, %F, 2.0f, 3.0f))[%k "
              "% 3][%U % 3u]"},
    {TEXTURES, "tf.read(uint2(%U % 16u, lane % 9u)).y"},
    {TEXTURES, "tf.sample(by_pixel, float2(%U & 31u, t & 15u)).x"},
    {TEXTURES, "tf.sample(around, float2(%U & 255u, %U & 127u) * 0.01f).w"},
    {TEXTURES, "tf.sample(to_nought, float2(lane, %U & 15u) * 0.07f).z"},
    {TEXTURES, "float(th.read(uint3(%U % 5u, %U % 6u, lane % 7u)).z)"},
    {TEXTURES, "float(th.sample(mirrored, float3(t & 15u, %U & 7u, 3u) * "
               "0.13f).x)"},
};

static const Text bfloats[] = {
    {0, "bf"}, {0, "bf"}, {0, "bfloat(%F)"}, {0, "bfloat(float(%U & 511u))"},
    {0, "(%D + %D)"}, {0, "(%D * %D)"}, {0, "(%D - %D)"}, {0, "(%B ? %D : %D)"},
    {0, "((device const bfloat *)in)[%Q]"},
    {0, "bfloat(%H)"}, {0, "bfloat(fmax(%D, %D))"},
};

static const Text shorts[] = {
    {0, "sh"}, {0, "short(ch)"}, {0, "short(us)"}, {0, "short(%U)"},
    {0, "short(%S + %S)"}, {0, "short(%S * %S)"}, {0, "short(%S - short(us))"},
    {0, "(%B ? %S : %S)"}, {0, "min(%S, %S)"}, {0, "short(%S >> (%U & 15u))"},
    {0, "short(%S << (%U & 15u))"}, {0, "short(char(%S))"},
    {0, "short(%S % short((%U & 15u) | 1u))"},
    {0, "((device const short *)in)[%Q]"}, {0, "short(~%S)"},
    {0, "addsat(%S, %S)"}, {0, "abs(short(%S >> 1))"},
    {0, "clamp(%S, short(-%c), short(%c))"},
    {0, "short(popcount(%S))"}, {0, "as_type<short>(ushort(%U))"},
};

static const Text float4s[] = {
    {0, "w"}, {0, "w"}, {0, "float4(%F, %F, x, y)"}, {0, "float4(%F)"},
    {0, "(%W + %W)"}, {0, "(%W * %W)"}, {0, "(%W - %F)"}, {0, "%W.wzyx"},
    {0, "%W.xxzz"}, {0, "float4(%W.zyx, %F)"}, {0, "fma(%W, %W, %W)"},
    {0, "min(%W, %W)"}, {0, "select(%W, %W, %W < %W)"}, {0, "(%B ? %W : %W)"},
    {0, "floor(%W)"}, {0, "((device const float4 *)in)[%P]"},
    {0, "((device const float4 *)in)[%v & 63u]"},
    {0, "float4(float3(((device const packed_float3 *)in)[%P]), 1.0f)"},
    {0, "float4(%V)"}, {0, "fabs(%W)"}, {0, "float4(hv)"},
    {0, "float4(float2(%F, x), %W.yx)"}, {ARRAYS, "fours[%U & 1u]"},
    {0, "mix(%W, %W, 0.5f)"}, {0, "float4(((device const half4 *)in)[%P])"},
    {0, "as_type<float4>(%V)"}, {0, "float4(((device const bfloat4 *)in)[%P])"},
    {TEXTURES, "tf.read(uint2(i & 15u, %U % 9u))"},
    {TEXTURES, "tf.sample(around, float2(x * 0.0f + 0.3f, float(lane) "
               "* 0.11f))"},
};

static const Text halfs[] = {
    {0, "h"}, {0, "h"}, {0, "half(%F)"}, {0, "half(%U & 511u)"},
    {0, "(%H + %H)"},
    {0, "(%H * %H)"}, {0, "(%H - %H)"}, {0, "%c.25h"}, {0, "(%B ? %H : %H)"},
    {0, "fma(half(%H), half(%H), half(%H))"},
    {0, "((device const half *)in)[%Q]"},
    {0, "fmin(%H, %H)"}, {0, "half2(%H, h).yx.x"},
};

static const Text ulongs[] = {
    {0, "l"}, {0, "l"}, {0, "ulong(%U)"}, {0, "(%L + %L)"}, {0, "(%L - %L)"},
    {0, "(%L * %L)"}, {0, "(%L ^ %L)"}, {0, "(%L >> (%U & 63u))"},
    {0, "(%L << (%U & 63u))"}, {0, "(ulong(%U) << 32 | ulong(%U))"},
    {0, "(%L / (%L | 1ul))"},
    {0, "ulong(long(%L) / long((%L & 65535ul) | 1ul))"},
    {0, "ulong(long(%I))"}, {0, "(%B ? %L : %L)"}, {0, "min(%L, %L)"},
    {0, "((device const ulong *)in)[%P]"}, {0, "(ulong(%U) * ulong(%U))"},
    {0, "(%L % (%L | 1ul))"}, {0, "(%L / ulong(in[%P] & 3u))"},
    {0, "ulong(long(%L) % long(int(in[%P] & 3u) - 1))"},
    {0, "ulong(long(%L) >> (%U & 63u))"}, {0, "ulong(max(long(%L), long(%I)))"},
    {0, "rotate(%L, %L & 63ul)"}, {0, "(~%L)"}, {0, "select(%L, %L, %B)"},
    {0, "clz(%L)"}, {0, "as_type<ulong>(uint2(%U, %U))"}, {0, "mulhi(%L, %L)"},
    {ARRAYS, "longs[%U & 3u]"}, {ARRAYS, "longs[%k & 3]"},
    {VECTORS, "(ulong2(%L, l) * ulong2(%V.yx)).y"},
    {VECTORS, "max(ulong2(%V.xy), ulong2(l)).x"},
};

static const Text uint4s[] = {
    {0, "v"}, {0, "v"}, {0, "uint4(%U, %U, %v, %cu)"}, {0, "uint4(%U)"},
    {0, "(%V + %V)"}, {0, "(%V * %V)"}, {0, "(%V ^ %V)"}, {0, "(%V - %U)"},
    {0, "%V.wzyx"}, {0, "%V.xxyz"}, {0, "(%V >> (%V & 31u))"},
    {0, "((device const uint4 *)in)[%P]"},
    {0, "((device const uint4 *)in)[%v & 63u]"},
    {0, "select(%V, %V, %V < %V)"}, {0, "(%B ? %V : %V)"}, {0, "max(%V, %V)"},
    {0, "uint4(%V.xy, %V.zw)"}, {0, "uint4(uchar4(%V))"},
    {0, "(%V / (%V | 1u))"}, {ARRAYS, "quads[%U & 3u]"},
    {ARRAYS, "quads[%k & 3u]"}, {0, "uni.v"}, {0, "(%V % (%V | 1u))"},
    {0, "(%V / (((device const uint4 *)in)[%P] & 1u))"},
    {0, "uint4(int4(%V) / (int4(((device const uint4 *)in)[%P] & 3u) - 1))"},
    {0, "uint4(short4(%V))"}, {0, "uint4(ushort4(%V) * ushort4(%V))"},
    {0, "uint4(uint3(%U, %v, 2u).zxy, %U)"}, {0, "uint4(%V < %V)"},
    {0, "min(%V, %U)"}, {0, "clamp(%V, uint4(%ku), uint4(%cu + 9u))"},
    {0, "popcount(%V)"},
    {0, "(%V << (%V & 31u))"}, {0, "rotate(%V, %V & 31u)"},
    {0, "uint4(char4(%V))"}, {0, "(-%V)"},
    {0, "uint4(((device const uchar4 *)in)[%Q])"},
    {0, "uint4(uint3(((device const packed_uint3 *)in)[%P]), 9u)"},
    {TEXTURES, "tu.read(uint2(i % 37u, %U % 23u))"},
    {TEXTURES, "uint4(ta.read(uint2(%U & 7u, %k), %k % 3u))"},
};

static const Text bools[] = {
    {0, "(%U < %U)"}, {0, "(%U == %U)"}, {0, "(%U >= %U)"}, {0, "(%I > %I)"},
    {0, "((%U & %ku) != 0u)"}, {0, "((%U & %m) == 0u)"},
    {0, "((%U & 1u) == 0u)"},
    {0, "(%B && %B)"}, {0, "(%B || %B)"}, {0, "!%B"}, {0, "(lane < %r)"},
    {0, "(t >= %cu)"}, {0, "((lane & %ku) == %ku)"}, {0, "fc1"},
    {0, "(i % 3u != 1u)"},
    {FLOATS, "(%F < %F)"}, {FLOATS, "isnan(%F)"}, {FLOATS, "(%H >= %H)"},
    {WIDE, "(%L < %L)"}, {VECTORS, "any(%V < %V)"}, {VECTORS, "all(%V != %V)"},
    {STRUCTS, "(p.s > ushort(%U))"}, {LANES, "simd_is_first()"},
    {ARRAYS, "flags[%U & 7u]"}, {NARROW, "(%S < %S)"},
    {NARROW, "(ch != char(%U))"}, {0, "bool((%U ^ %U) & 1u)"},
    {0, "(%B ? %B : %B)"}, {0, "(uni.n > %U)"}, {0, "bool(par[%k] & 1u)"},
    {0, "bool(%B ^ %B)"}, {FLOATS, "isfinite(%F)"}, {FLOATS, "(x == y)"},
    {VECTORS | FLOATS, "any(%W < %W)"}, {NARROW | FLOATS, "(%D > %D)"},
    {WIDE, "(long(%L) < long(%I))"},
};

/* Indices below 1024, 4096 and 16384; a grid has at most 3000 threads, a group
** 1024, and loops count to 8 at most. */
static const Text tiny[] = {
    {0, "(t)"}, {0, "(lane + %cu)"}, {0, "(t ^ %ku)"}, {0, "(t / 4u)"},
    {0, "(t % %c1u)"}, {0, "(1023u - t)"}, {0, "((t & 15u) * 32u + (t >> 5u))"},
    {0, "(tg % 8u + %cu)"}, {0, "(%U & 1023u)"}, {0, "(sg * 32u + %r)"},
};
static const Text pattern[] = {
    {0, "%T"}, {0, "(i + %cu)"}, {0, "(i + %c1u)"}, {0, "i"}, {0, "(i ^ 1u)"},
    {0, "(4000u - i)"}, {0, "(i / 4u + %cu)"}, {0, "(i % 8u)"},
    {0, "(t * 3u + %cu)"},
    {0, "((i >> 3u) * 16u % 4000u + (i & 7u))"}, {0, "(min(i + 1u, 3000u))"},
    {0, "(max(i, 1u) - 1u)"}, {0, "(%U & 4095u)"}, {0, "(%v & 4095u)"},
    {0, "(tg + %cu)"}, {0, "((t & 15u) * 64u + (t >> 4u))"},
    {KERNEL, "(gid.x + %cu)"}, {KERNEL, "(gid.y * 40u % 3000u + gid.x % 64u)"},
    {KERNEL, "(lp.y * 32u % 1024u + lp.x)"}, {KERNEL, "(lp.x + gid.z)"},
    {0, "(i + %K)"}, {0, "(t * 2u + %K)"}, {0, "(%K * 32u + lane)"},
    {0, "(%K)"},
};
static const Text far_pattern[] = {
    {0, "%P"}, {0, "(i * 2u + %cu)"}, {0, "(i * 3u + %cu)"},
    {0, "(i * 4u + %k)"},
    {0, "(t * 8u + %K)"}, {0, "(9000u - i * 3u)"}, {0, "(%U & 16383u)"},
    {0, "(%K * 1024u + t)"}, {0, "(t * 12u + %K)"},
};

typedef struct Texts {
  char hole;
  const Text *texts;
  unsigned count;
  unsigned needs; /* for any of them */
  const char *leaf;
} Texts;

#define TEXTS(hole, list, needs, leaf) \
  {hole, list, sizeof list / sizeof *list, needs, leaf}
static const Texts kinds[] = {
    TEXTS('U', uints, 0, NULL),
    TEXTS('I', ints, 0, NULL),
    TEXTS('F', floats, FLOATS, "x"),
    TEXTS('H', halfs, FLOATS, "h"),
    TEXTS('L', ulongs, WIDE, "l"),
    TEXTS('V', uint4s, VECTORS, "v"),
    TEXTS('W', float4s, FLOATS | VECTORS, "w"),
    TEXTS('S', shorts, NARROW, "sh"),
    TEXTS('D', bfloats, FLOATS | NARROW, "bf"),
    TEXTS('B', bools, 0, "(lane < 9u)"),
    TEXTS('T', tiny, 0, "t"),
    TEXTS('P', pattern, 0, "i"),
    TEXTS('Q', far_pattern, 0, "i"),
};

static void fill(Generator *g, const char *text, int depth);

static void leaf(Generator *g) {
  static const char *const names[] = {"i", "t", "lane", "n", "tg", "sg"};
  switch (pick(g, 6)) {
    case 0: mt_str_addf(g->out, "%uu", pick(g, 40)); break;
    case 1: mt_str_addf(g->out, "%uu", pick(g, UINT32_MAX)); break;
    case 2: mt_str_add(g->out, names[pick(g, 6)]); break;
    default: mt_str_addf(g->out, "%c", variable(g)); break;
  }
}

/* One of the texts this kernel has what it takes for. */
static const char *choose(Generator *g, const Text *texts, unsigned n) {
  for (int tries = 0; tries < 30; tries++) {
    const Text *t = &texts[pick(g, n)];
    if ((t->needs & g->has) == t->needs) return t->text;
  }
  return texts[0].text;
}

static void expression(Generator *g, char hole, int depth) {
  const Texts *k = kinds;
  while (k->hole != hole) k++;
  if (depth > 0 && (k->leaf == NULL ? chance(g, 75) : true)) {
    fill(g, choose(g, k->texts, k->count), depth - 1);
  } else if (k->leaf) {
    mt_str_add(g->out, k->leaf);
  } else if (hole == 'I') {
    fill(g, "int(%v)", 0);
  } else {
    leaf(g);
  }
}

static void counter(Generator *g) {
  if (g->counter >= 0)
    mt_str_addf(g->out, "k%d", g->counter);
  else
    mt_str_addf(g->out, "%uu", pick(g, 8));
}

/* One or two bits below 32. */
static void mask(Generator *g) {
  uint32_t bit = 1u << pick(g, 5);
  mt_str_addf(g->out, "%uu", bit * (1 + 2 * pick(g, 3)));
}

/* Append 'text' with its holes filled. */
static void fill(Generator *g, const char *text, int depth) {
  for (; *text; text++) {
    if (text[0] != '%' || !text[1] || text[1] == ' ') {
      mt_str_addf(g->out, "%c", *text);
      continue;
    }
    switch (*++text) {
      case 'v': mt_str_addf(g->out, "%c", variable(g)); break;
      case 'c': mt_str_addf(g->out, "%u", pick(g, 40)); break;
      case 'C': mt_str_addf(g->out, "%uu", pick(g, UINT32_MAX)); break;
      case 'k': mt_str_addf(g->out, "%u", pick(g, 8)); break;
      case 'r': mt_str_addf(g->out, "%uu", pick(g, 32)); break;
      case 'm': mask(g); break;
      case 'K': counter(g); break;
      default: expression(g, *text, depth); break;
    }
  }
}

/* Something that is the same for the whole threadgroup. */
static void uniform_expression(Generator *g) {
  static const Text texts[] = {
      {0, "(tg * %cu + %ku)"}, {0, "in[(tg + %cu) & 1023u]"}, {0, "(n + %ku)"},
      {0, "(in[%c] ^ tg)"}, {0, "%cu"}, {0, "(par[tg & 15u] + fc0)"},
  };
  fill(g, choose(g, texts, 6), 0);
}

/* ------------------------------------------------------- simple statements */

static const Text simple[] = {
    {0, "%v = %U;"}, {0, "%v += %U;"}, {0, "%v ^= %U;"}, {0, "%v = %U;"},
    {0, "%v -= %U;"}, {0, "%v = %U;"}, {0, "%v ^= %U;"},
    {0, "priv[%U & 7u] = %U;"}, {0, "priv[%k] += %U;"},
    {0, "priv[%v & 7u] ^= %U;"},
    /* what happens on one side only, in one expression */
    {0, "a = %B ? (b += %U) : (c ^= %U);"},
    {0, "if (%B && (d += %U) > %C) e++;"},
    {0, "f = uint(%B || (b ^= %U) < %C) + %U;"},
    {0, "%v = (c += %U, c >> 3u);"},
    {0, "{ uint z = %B ? priv[%U & 7u]++ : %U; d ^= z; }"},
    {FLOATS, "x = %F;"}, {FLOATS, "y = %F;"}, {FLOATS, "h = %H;"},
    {FLOATS, "x += %F;"},
    {WIDE, "l = %L;"}, {WIDE, "l += %L;"},
    {VECTORS, "v = %V;"}, {VECTORS, "v.y = %U;"}, {VECTORS, "v[%U & 3u] = %U;"},
    {VECTORS, "v.xz = %V.yw;"}, {VECTORS, "v.w += %U;"},
    /* 'alike' is the same in all lanes, as far as they do the same */
    {ARRAYS, "alike[top++ & 15u] = par[%k] ^ %c;"},
    {ARRAYS, "%v += alike[--top & 15u];"},
    {ARRAYS, "%v ^= alike[uni.v.x & 15u]; top--;"},
    {ARRAYS, "alike[%k & 15] = uni.n + top;"},
    {ARRAYS, "if (%B) alike[top & 15u] += par[%k];"},
    {ARRAYS, "alike[top & 15u] ^= alike[uni.n & 15u];"},
    {ARRAYS | LANES, "if (simd_any(%B)) alike[top++ & 15u] = par[%k]; "
                     "else %v += alike[top-- & 15u];"},
    {ARRAYS | LANES, "while (simd_any((a & 7u) > 2u)) { if ((a & 7u) > 2u) "
                     "a--; alike[top++ & 15u] ^= %c; }"},
    {ARRAYS, "for (uint z = 0; z < (%U & 7u); z++) { alike[z & 15u] = z * %c; "
             "%v += alike[(z + %k) & 15u]; }"},
    {ARRAYS, "for (uint z = 0; z < (%U & 7u); z++) { uint fresh[5]; "
             "for (uint q = 0; q < 5u; q++) fresh[q] = uni.n * q; "
             "fresh[z % 5u]++; %v = %v * 3u + fresh[par[%k] % 5u] + fresh[%U % "
             "5u]; }"},
    {ARRAYS, "big[%U % 24u] = %U;"}, {ARRAYS, "bytes[%U & 15u] = uchar(%U);"},
    {ARRAYS, "quads[%U & 3u].y = %U;"},
    {ARRAYS | VECTORS, "quads[%U & 3u] = %V;"},
    {ARRAYS | FLOATS, "fours[%U & 1u].x = %F;"},
    {ARRAYS, "{ thread uint *q = %B ? priv : big; q[%U & 7u] += %U; "
             "%v ^= q[%k]; }"},
    {ARRAYS, "{ thread uint *q = priv + (%U & 3u); q[%k & 3] = %U; "
             "%v += *q; }"},
    {ARRAYS, "change(%B ? big + (%U & 7u) : priv, %U);"},
    {0, "change(priv, %U);"}, {0, "%v = change(&%v, %U);"},
    {0, "{ device const uint *q = %B ? in + %P : in + %U % 99u; "
        "%v ^= q[%k] + q[%U & 7u]; }"},
    {STRUCTS, "p = ps[%U % 3u];"}, {STRUCTS, "ps[%U % 3u] = p;"},
    {STRUCTS, "p.a = %U;"},
    {STRUCTS, "p.v = uint2(%U, %U);"}, {STRUCTS, "p.c[%U & 1u] = uchar(%U);"},
    {STRUCTS, "ps[%U % 3u].s += ushort(%U);"}, {STRUCTS, "p = mix_up(p, %U);"},
    {STRUCTS | FLOATS, "p.x = %F;"},
    {STRUCTS, "p = ((device const P *)in)[%P];"},
    {STRUCTS, "if (%B) p = mix_up(ps[%U % 3u], %U); else ps[%k % 3].v.y = %U;"},
    {STRUCTS, "rec.list[%U % 3u] += %U;"}, {STRUCTS, "rec.p = ps[%U % 3u];"},
    {STRUCTS, "rec.sv = short2(%U, %U);"}, {STRUCTS, "twist(rec, %U);"},
    {STRUCTS, "twist(%B ? rec : rec2, %U & 7u);"}, {STRUCTS, "rec2 = rec;"},
    {STRUCTS, "{ Q swap = rec; rec = rec2; rec2 = swap; }"},
    {STRUCTS, "{ thread P &r = ps[%U % 3u]; r.a += %U; r.v.x ^= r.a; "
              "p.s ^= r.s; }"},
    {STRUCTS, "{ thread P *r = %B ? &ps[%U % 3u] : &rec.p; r->a ^= %U; "
              "r->c[%U & 1u] = uchar(%U); %v += r->a; }"},
    {STRUCTS, "%v ^= *(%B ? &p.a : &rec.list[%U % 3u]);"},
    {0, "bump(%v, %U);"}, {0, "bump(priv[%U & 7u], %U);"},
    {ARRAYS, "bump(table2[%U & 3u][%k & 3], %U);"},
    {VECTORS, "swap_two(v, %U & 3u, %U & 3u);"},
    {0, "%v = chase(in, %U & 1023u, %U & 7u);"},
    {0, "{ thread uint *at = priv, *end = priv + (%U & 7u); "
        "for (; at != end; at++) %v = %v * 5u + *at; }"},
    {0, "for (int z = int(%U & 7u); z >= 0; z--) priv[z] += %v ^ uint(z);"},
    {0, "for (uint z = %U & 63u; z; z &= z - 1u) %v += ctz(z);"},
    {ARRAYS, "table2[%U & 3u][%U & 3u] ^= %U;"},
    {ARRAYS, "shorts[%U & 7u] = short(%U);"},
    {ARRAYS, "shorts[%U & 7u] *= short(%U);"}, {ARRAYS, "flags[%U & 7u] = %B;"},
    {ARRAYS, "flags[%k] = !flags[%U & 7u];"},
    {ARRAYS, "packs[%U & 1u] = uint3(%U, %v, %U);"},
    {ARRAYS | WIDE, "longs[%U & 3u] = %L;"},
    {ARRAYS | WIDE, "longs[%k & 3] += %L;"},
    {ARRAYS | FLOATS, "halves[%U & 7u] = %H;"},
    {ARRAYS, "{ thread uint (&row)[4] = table2[%U & 3u]; "
             "row[%U & 3u] = row[%k & 3] + %U; }"},
    {ARRAYS, "for (uint z = 0; z < 4u; z++) for (uint y2 = 0; y2 < 4u; y2++) "
             "if (table2[z][y2] & 1u) { %v += z; break; }"},
    {NARROW, "sh = %S;"}, {NARROW, "sh += %S;"}, {NARROW, "ch = char(%S);"},
    {NARROW, "us = uchar(%S);"}, {NARROW, "us++;"}, {NARROW, "ch *= char(%U);"},
    {NARROW, "ch -= 7;"}, {NARROW, "sh <<= %U & 15u;"}, {NARROW, "us >>= 1;"},
    {NARROW | FLOATS, "bf = %D;"}, {NARROW | FLOATS, "bf += %D;"},
    {VECTORS | FLOATS, "w = %W;"}, {VECTORS | FLOATS, "w.yx = %W.xz;"},
    {VECTORS | FLOATS, "w[%U & 3u] = %F;"}, {VECTORS | FLOATS, "w.z += %F;"},
    {VECTORS | FLOATS, "hv = half4(%W);"},
    {VECTORS | FLOATS, "hv.zw = half2(%H, h);"},
    {VECTORS | FLOATS, "hv = hv * hv.wxyz + h;"},
    {VECTORS, "v = (%B ? v.yzwx : v) + %V;"},
    {VECTORS, "v.xyz = uint3(%U, %v, v.w);"}, {VECTORS, "v.x++, v.w--;"},
    {VECTORS, "v >>= 1u;"}, {WIDE, "l = l << 7 | l >> 57;"},
    {WIDE, "l ^= ulong(%U) << 32;"}, {WIDE, "l -= ulong(long(%I));"},
    {KERNEL, "more[i * 8u + (%U & 7u)] ^= %U;"},
    {KERNEL, "more[i * 8u + %k] = %U;"},
    {KERNEL, "%v += more[i * 8u + (%U & 7u)];"},
    {KERNEL | STRUCTS, "*(device P *)(more + i * 8u) = p;"},
    {KERNEL | STRUCTS, "p = *(device P *)(more + i * 8u);"},
    {KERNEL | STRUCTS, "((device P *)(more + i * 8u))->c[%U & 1u] = "
                       "uchar(%U);"},
    {KERNEL | VECTORS, "((device uint4 *)more)[i * 2u + (%U & 1u)] = %V;"},
    {KERNEL | VECTORS, "v ^= ((device uint4 *)more)[i * 2u + (%U & 1u)];"},
    {KERNEL | VECTORS, "((device uint4 *)more)[i * 2u + (%U & 1u)].xz "
                       "= %V.yw;"},
    {KERNEL | VECTORS, "((device uint4 *)more)[i * 2u].y = %U;"},
    {KERNEL | VECTORS, "((device uint4 *)more)[i * 2u + 1u].wzx = %V.xyz;"},
    {KERNEL, "((device char *)more)[i * 32u + (%U & 31u)] = char(%U);"},
    {KERNEL, "%v ^= uint(((device ushort *)more)[i * 16u + (%U & 15u)]);"},
    {KERNEL | FLOATS, "((device half *)more)[i * 16u + (%U & 15u)] = "
                      "only(%H);"},
    {KERNEL | VECTORS, "((device packed_uint3 *)(more + i * 8u))[%U & 1u] = "
                       "%V.yzx;"},
    {KERNEL | WIDE, "((device ulong *)more)[i * 4u + (%U & 3u)] += %L;"},
    {KERNEL, "{ device uint *at = more + i * 8u; "
             "for (uint z = 0; z < (%U & 7u); z++) *at++ += %v + z; }"},
    {KERNEL, "%v ^= in[gid.x * 5u + gid.y];"},
    {KERNEL, "%v += in[lp.x * 16u + lp.y];"},
    {KERNEL, "%v ^= in[lp.x * (n & 7u) + lp.y + %k];"},
    {KERNEL | FLOATS, "y += small[(lp.x & 7u) * 32u + (lp.y & 31u)];"},
    /* along a row of the thread's own */
    {0, "{ uint q = %U & 1023u; %v ^= in[q] * 3u + in[q + 1u]; }"},
    {0, "{ uint q = in[%U & 1023u] & 511u, w = %v & 255u; "
        "%v += in[q + w + 1u] * 5u ^ in[q + w]; }"},
    {KERNEL, "for (uint z = 0; z < 8u; z++) %v = %v * 3u + more[i * 8u + z];"},
    {KERNEL, "for (uint z = 0; z < 37u; z++) %v = %v * 3u + in[i * 8u + z];"},
    {KERNEL, "for (uint z = %U & 3u; z < (%U & 31u); z++) "
             "%v = %v * 5u + in[i * 10u + z];"},
    {KERNEL, "for (uint z = 0; z < 8u; z++) "
             "more[i * 8u + z] = %v + z * in[i * 8u + z];"},
    {KERNEL, "for (uint z = 1; z < 8u; z++) "
             "more[i * 8u + z] += more[i * 8u + z - 1u];"},
    {KERNEL, "for (uint z = 0; z < 8u; z++) { more[i * 8u + z] ^= %U; "
             "%v += more[i * 8u + z]; }"},
    {KERNEL, "{ uint from = %U & 8191u; for (uint z = "
             "0; z < (par[%k & 15] & 31u); z++) %v = "
             "%v * 5u + ((device const uchar *)in)[from + z]; }"},
    {KERNEL, "{ uint from = %U & 4095u, to = from + (%U & 63u); "
             "for (; from < to; from++) { ushort q = "
             "((device const ushort *)in)[from]; if (q == 77) break; %v += q; "
             "} }"},
    {KERNEL | VECTORS, "for (uint z = 0; z < 5u; z++) "
                       "v ^= ((device const uint4 *)in)[i * 2u + z];"},
    {KERNEL | WIDE, "for (uint z = 0; z < 9u; z++) "
                    "l = l * 3u + ((device const ulong *)in)[i * 3u + z];"},
    {KERNEL, "for (uint z = 0; z < 12u; z++) { "
             "if ((in[i * 7u + z] & 63u) == (%U & 63u)) break; "
             "%v += in[i * 7u + z + 1u]; }"},
    {KERNEL, "{ device uint *at = %B ? more + i * 8u : ext + i * 4u; "
             "at[%U & 3u] = %U; %v ^= at[%k & 3]; }"},
    {KERNEL, "ext[i * 4u + (%U & 3u)] = %U;"},
    {KERNEL, "ext[i * 4u + %k % 4u] += %U;"},
    {KERNEL, "%v ^= ext[i * 4u + (%U & 3u)];"},
    {KERNEL, "ext[14999u - i] = %U;"},
    {KERNEL | VECTORS, "((device uint4 *)ext)[i] = %V;"},
    {KERNEL, "((device uchar *)(ext + 15000))[i] = uchar(%U);"},
    {KERNEL, "((device ushort *)(ext + 16000))[i] ^= ushort(%U);"},
    {KERNEL | VECTORS, "((device packed_uint3 *)(ext + 18000))[i] = %V.zxy;"},
    {KERNEL | WIDE, "((device ulong *)ext)[i * 2u + 1u] = %L;"},
    {KERNEL | VECTORS, "((device uint2 *)ext)[i * 2u] = %V.yz;"},
    {TEXTURES, "tw.write(uint4(%U, %v, %U, 7u), uint2(i & 63u, i >> 6u));"},
    {TEXTURES | VECTORS, "if (%B) tw.write(%V, ushort2(i & 63u, i >> 6u));"},
    {TEXTURES | FLOATS, "tr.write(float4(as_type<float>(bits(%F))), "
                        "uint2(i & 63u, i >> 6u));"},
    {TEXTURES | FLOATS, "x += tr.read(uint2(i & 63u, i >> 6u)).x;"},
    {TEXTURES | VECTORS, "v += tu.read(uint2(%U % 37u, %K));"},
};

/* A place for each operation, so that no order shows; own[i] is this
** thread's alone, so that what was there before may be used. */
static const Text atomic[] = {
    {0, "atomic_fetch_add_explicit(&acc[%k], %U, memory_order_relaxed);"},
    {0, "atomic_fetch_sub_explicit(&acc[%U & 7u], %U, memory_order_relaxed);"},
    {0, "atomic_fetch_xor_explicit(&acc[8u + (%U & 7u)], %U, "
        "memory_order_relaxed);"},
    {0, "atomic_fetch_max_explicit(&acc[16u + (%U & 7u)], %U, "
        "memory_order_relaxed);"},
    {0, "atomic_fetch_min_explicit(&acc[24u + (%U & 7u)], %U, "
        "memory_order_relaxed);"},
    {0, "atomic_fetch_or_explicit(&acc[32u + %k], %U, memory_order_relaxed);"},
    {0, "atomic_fetch_and_explicit(&acc[40u + (%U & 7u)], %U, "
        "memory_order_relaxed);"},
    {0, "atomic_fetch_max_explicit((device atomic_int *)&acc[48u + %k], %I, "
        "memory_order_relaxed);"},
    {0, "{ uint old = atomic_load_explicit(&acc[56u + (%v & 7u)], "
        "memory_order_relaxed); uint add = %U;\n"
        "  device atomic_uint *at = &acc[56u + (lane & 7u)]; "
        "old = atomic_load_explicit(at, memory_order_relaxed);\n"
        "  while (!atomic_compare_exchange_weak_explicit(at, &old, old + add, "
        "memory_order_relaxed, memory_order_relaxed)) ; }"},
    {FLOATS, "atomic_fetch_add_explicit(&facc[%U & 7u], float(%U & 15u), "
             "memory_order_relaxed);"},
    {FLOATS, "atomic_fetch_add_explicit(&facc[%k], float(%U & 31u), "
             "memory_order_relaxed);"},
    {KERNEL, "%v ^= atomic_fetch_add_explicit(&own[i], %U, "
             "memory_order_relaxed);"},
    {KERNEL, "%v += atomic_exchange_explicit(&own[i], %U, "
             "memory_order_relaxed);"},
    {KERNEL, "%v = atomic_fetch_max_explicit(&own[i], %U, "
             "memory_order_relaxed);"},
    {KERNEL, "{ "
             "uint "
             "want "
             "= %U & 1u; if (atomic_compare_exchange_weak_explicit(&own[i], "
             "&want, %U,\n"
             "  memory_order_relaxed, memory_order_relaxed)) %v++; else %v ^= "
             "want; }"},
    {KERNEL, "%v -= atomic_load_explicit(&own[i], memory_order_relaxed);"},
    {KERNEL, "{ threadgroup atomic_uint *at = "
             "(threadgroup atomic_uint *)&tgp[t]; "
             "atomic_store_explicit(at, %U, memory_order_relaxed); "
             "%v ^= atomic_fetch_and_explicit(at, %U, memory_order_relaxed);\n"
             "  %v += atomic_fetch_xor_explicit(at, %U, memory_order_relaxed); "
             "%v ^= atomic_fetch_min_explicit(at, %U, memory_order_relaxed); "
             "%v += atomic_fetch_or_explicit(at, %v, memory_order_relaxed); }"},
    {KERNEL, "{ threadgroup atomic_int *at = "
             "(threadgroup atomic_int *)&tgp[t]; "
             "atomic_store_explicit(at, %I, memory_order_relaxed); "
             "%v ^= uint(atomic_fetch_max_explicit(at, %I, "
             "memory_order_relaxed));\n"
             "  %v += uint(atomic_fetch_min_explicit(at, %I, "
             "memory_order_relaxed)); %v ^= "
             "uint(atomic_load_explicit(at, memory_order_relaxed)); }"},
    {0, "atomic_fetch_add_explicit(&facc[%k], float(%U & 31u), "
        "memory_order_relaxed);"},
    {0, "atomic_store_explicit(&acc[73u + (%k & 3u)], 77u, "
        "memory_order_relaxed);"},
    {0, "%v += atomic_load_explicit(&acc[78u + (%U & 1u)], "
        "memory_order_relaxed);"},
    {KERNEL, "{ threadgroup atomic_uint *at = "
             "(threadgroup atomic_uint *)&tgp[t]; "
             "atomic_store_explicit(at, %U, memory_order_relaxed);\n"
             "  %v ^= atomic_fetch_max_explicit(at, %U, memory_order_relaxed); "
             "%v += atomic_fetch_sub_explicit(at, %U, memory_order_relaxed); "
             "%v ^= atomic_exchange_explicit(at, %v, memory_order_relaxed);\n"
             "  uint want = %U; if (atomic_compare_exchange_weak_explicit(at, "
             "&want, %U, memory_order_relaxed, memory_order_relaxed)) %v++; "
             "else %v ^= want; }"},
    /* which thread gets which number is open, but each is got once */
    {0, "{ uint slot = atomic_fetch_add_explicit(&acc[64], 1u, "
        "memory_order_relaxed); atomic_fetch_xor_explicit(&acc[65], "
        "slot * 2654435761u, memory_order_relaxed); }"},
    {0, "if (%B) { uint slot = atomic_fetch_add_explicit(&acc[66u + (%U & "
        "1u)], 1u, memory_order_relaxed); atomic_fetch_add_explicit(&acc[68], "
        "slot * slot, memory_order_relaxed); }"},
    {LANES, "{ uint rank = simd_prefix_exclusive_sum(1u), all = "
            "simd_sum(1u), from = 0u; if (simd_is_first()) "
            "from = atomic_fetch_add_explicit(&acc[69], all, "
            "memory_order_relaxed);\n"
            "  atomic_fetch_xor_explicit(&acc[70], "
            "(simd_broadcast_first(from) + rank) * 2654435761u, "
            "memory_order_relaxed); }"},
    {0, "{ uint old = atomic_fetch_or_explicit(&acc[71], 1u << (%U & 31u), "
        "memory_order_relaxed); if (old == "
        "0u) atomic_fetch_add_explicit(&acc[64u + 8u], 1u, "
        "memory_order_relaxed); }"},
};

/* Of the active threads. The functions of kernel.h that end in _ do not use
** what comes from one that is not active; the others get what it holds. */
static const Text crossing[] = {
    {0, "%v = simd_sum(%U);"}, {0, "%v = simd_min(%U);"},
    {0, "%v = simd_max(%U);"}, {0, "%v = simd_and(%U);"},
    {0, "%v ^= simd_or(%U);"}, {0, "%v = simd_xor(%U);"},
    {0, "%v += simd_product(%U);"}, {0, "%v = simd_prefix_inclusive_sum(%U);"},
    {0, "%v = simd_prefix_exclusive_sum(%U);"},
    {0, "%v = simd_prefix_inclusive_product(%U);"},
    {0, "%v ^= simd_prefix_exclusive_product(%U);"},
    {0, "%v = simd_broadcast_first(%U);"}, {0, "%v = quad_sum(%U);"},
    {0, "%v = quad_product(%U);"}, {0, "%v = quad_max(%U);"},
    {0, "%v = quad_min(%U);"}, {0, "%v = quad_prefix_inclusive_sum(%U);"},
    {0, "%v ^= quad_prefix_exclusive_sum(%U);"},
    {0, "%v = quad_prefix_inclusive_product(%U);"},
    {0, "%v = quad_broadcast_first(%U);"}, {0, "%v = quad_xor(%U);"},
    {0, "%v ^= quad_and(%U) + quad_or(%U);"},
    {0, "%v = shuffle_(%U, %r);"}, {0, "%v = shuffle_(%U, %U & 31u);"},
    {0, "%v = xor_(%U, %r, lane);"}, {0, "%v = xor_(%U, %m & 31u, lane);"},
    {0, "%v = up_(%U, %r, lane);"}, {0, "%v = down_(%U, %r, lane);"},
    {0, "%v = rotate_up_(%U, %r, lane);"},
    {0, "%v = rotate_down_(%U, %r, lane);"},
    {0, "%v = fill_up_(%U, %U, %r, lane);"},
    {0, "%v = fill_down_(%U, %U, %r, lane);"},
    /* by a number that is the same for all, and unknown to the compiler */
    {0, "%v = up_(%U, par[%k] & 31u, lane);"},
    {0, "%v = down_(%U, par[%k] & 31u, lane);"},
    {0, "%v ^= xor_(%U, par[%k] & 31u, lane);"},
    {0, "%v = rotate_up_(%U, par[%k] & 31u, lane);"},
    {0, "%v = rotate_down_(%U, par[%k] & 31u, lane);"},
    {0, "%v = fill_up_(%U, %U, par[%k] & 31u, lane);"},
    {0, "%v = fill_up_in_(%U, %U, %k & 3u, 4u << (par[%k] & 3u), lane);"},
    {0, "%v = fill_down_in_(%U, %U, par[%k] & 7u, 8u, lane);"},
    {0, "%v = fill_down_in_(%U, %U, %k, 8u << (%k % 3), lane);"},
    {FLOATS, "x = fill_up_in_(%F, y, par[%k] & 3u, 16u, lane);"},
    {0, "%v = quad_shuffle_(%U, %U & 3u, lane);"},
    {0, "%v = quad_xor_(%U, %k & 3u, lane);"},
    {0, "%v = quad_up_(%U, %k & 3u, lane);"},
    {0, "%v = quad_down_(%U, %k & 3u, lane);"},
    {0, "%v = quad_broadcast_(%U, %k & 3u, lane);"},
    {0, "%v = broadcast_(%U, %r);"},
    {0, "%v = uint(ulong(simd_ballot(%B)));"}, {0, "%v ^= uint(simd_all(%B));"},
    {0, "%v += uint(simd_any(%B));"},
    {0, "%v ^= uint(ulong(simd_active_threads_mask()));"},
    {0, "%v ^= uint(quad_all(%B)) + uint(quad_any(%B));"},
    {0, "%v += uint(ushort(quad_vote::vote_t(quad_ballot(%B))));"},
    {0, "%v = popcount(uint(ulong(simd_ballot(%B))) & ((1u << lane) - 1u));"},
    {0, "if (simd_any(%B)) %v += %U; else %v ^= simd_max(%U);"},
    {0, "if (%B) { %v = simd_sum(%U); } else { %v = simd_max(%U); }"},
    {0, "for (uint left = %U & 15u; simd_any(left != 0u); ) { if (left) { "
        "left--; %v += simd_sum(1u); } }"},
    {0, "{ uint key = %U & 7u; while (true) { "
        "if (simd_broadcast_first(key) == key) { %v += simd_sum(1u); break; "
        "} } }"},
    {0, "%v = uint(simd_min(%I));"}, {0, "%v = uint(simd_max(short(%U)));"},
    {0, "%v = uint(simd_sum(uchar(%U)));"},
    {0, "%v = uint(shuffle_(uchar(%U), %r));"},
    {0, "%v = uint(up_(short(%U), %k, lane));"},
    {0, "%v ^= uint(simd_and(ushort(%U)));"},
    {0, "if (%B) %v += simd_shuffle_up(%v, ushort(%r));"},
    {0, "%v ^= simd_shuffle_xor(%v, ushort(%r));"},
    {0, "%v = simd_shuffle(%v, ushort(%U & 31u));"},
    {0, "for (uint d = 1u; d < 32u; d *= 2u) if (lane >= d) "
        "%v += simd_shuffle_up(%v, ushort(d));"},
    {0, "if (%B) %v = simd_shuffle_rotate_down(%U, ushort(%r)); "
        "else %v ^= simd_broadcast(%v, ushort(%r));"},
    {0, "%v += simd_shuffle_and_fill_up(%v, %v, ushort(%r));"},
    {0, "%v ^= quad_shuffle_up(%v, ushort(%k & 3u)) + quad_broadcast(%v, "
        "ushort(%k & 3u));"},
    {FLOATS, "if (%B) x = simd_shuffle_down(y, ushort(%r));"},
    {FLOATS, "h = simd_shuffle_xor(h, ushort(%r));"},
    {WIDE, "l += simd_shuffle_up(l, ushort(%r));"},
    {VECTORS, "if (%B) v ^= simd_shuffle_down(v, ushort(%r));"},
    {VECTORS, "v = simd_shuffle_and_fill_down(v, %V, ushort(%r), 8);"},
    {NARROW, "sh = simd_min(%S);"}, {NARROW, "ch = xor_(ch, %r, lane);"},
    {NARROW, "us = simd_prefix_inclusive_sum(us);"},
    {FLOATS, "x = simd_sum(float(%U & 255u));"},
    {FLOATS, "x = simd_max(float(%I & 4095));"},
    {FLOATS, "y = down_(%F, %r, lane);"}, {FLOATS, "h = xor_(%H, %r, lane);"},
    {FLOATS, "y = simd_prefix_exclusive_sum(float(%U & 63u));"},
    {FLOATS, "x = quad_min(float(%U & 1023u));"},
    {FLOATS, "h = simd_sum(half(%U & 7u));"},
    {FLOATS, "x = quad_broadcast_(%F, %k & 3u, lane);"},
    {FLOATS | NARROW, "bf = shuffle_(%D, %r);"},
    {WIDE, "l = xor_(%L, %r, lane);"}, {WIDE, "l ^= simd_broadcast_first(%L);"},
    {WIDE, "l = shuffle_(%L, %U & 31u);"},
    {WIDE, "l += quad_up_(%L, %k & 3u, lane);"},
    {VECTORS, "v = up_(%V, %r, lane);"}, {VECTORS, "v ^= simd_sum(%V);"},
    {VECTORS, "v = fill_down_(%V, v, %r, lane);"},
    {VECTORS, "v = simd_max(%V);"},
    {VECTORS, "v += simd_prefix_exclusive_sum(%V);"},
    {VECTORS | FLOATS, "w = rotate_down_(%W, %r, lane);"},
    {VECTORS | FLOATS, "hv = up_(hv, %r, lane);"},
    {VECTORS | NARROW, "sh = xor_(short2(%S, sh), %r, lane).y;"},
    {VECTORS | FLOATS, "w.xy = simd_max(float2(%U & 255u, %U & 63u));"},
    {VECTORS, "v.xyz = quad_sum(%V.zyx);"},
    {VECTORS | FLOATS, "hv.x = simd_min(half2(%U & 63u, 5u)).x;"},
    {NARROW | FLOATS, "bf = xor_(bfloat2(%D, bf), %r, lane).x;"},
};

static void of_texts(Generator *g, const Text *texts, size_t n, int depth) {
  fill(g, choose(g, texts, (unsigned)n), depth);
  mt_str_add(g->out, "\n");
}
#define OF(g, texts, depth) \
  of_texts(g, texts, sizeof texts / sizeof *texts, depth)

#endif
