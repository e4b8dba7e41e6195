/*
** shapes.h - what people write, with holes: a thread that goes along a row of
** its own, a grid of two dimensions with its neighbours, a loop that strides
** over the grid, tiles, what is handed on through device memory or within a
** SIMD-group.
**
** A kernel of shapes has one width of its rows, 'wide', and one pitch of its
** planes, unknown to the compiler but the same for all threads: so each thread
** writes what is its own. 'rin' is read only, 'rows' has the rows, 'flat'
** belongs to who comes to it by striding, 'plane' to a position, 'swap' to the
** threads of a group.
*/
#ifndef RANDOM_SHAPES_H
#define RANDOM_SHAPES_H

#include "tests/random/generate.h"

#define BARRIER "threadgroup_barrier(mem_flags::mem_threadgroup);\n"

static void statements(Generator *g, int most);
static bool enter(Generator *g);

static void line(Generator *g, const char *text) {
  indent(g);
  fill(g, text, 2);
  mt_str_add(g->out, "\n");
}

#define ANY(g, list) list[pick(g, sizeof list / sizeof *list)]

/* ------------------------------------------------------------ along a row */

typedef struct Along {
  const char *type;
  bool big;     /* an element of more than 4 bytes */
  bool inside;  /* the loop's counter z stays below 'wide' */
  bool uniform; /* the bounds are the same for all threads */
} Along;

static void row_begin(Generator *g, Along *a) {
  static const char *const small[] = {
      "uint", "uint", "uint", "int", "float", "uchar", "char", "ushort",
      "short", "half", "uchar4"};
  static const char *const large[] = {"ulong", "uint2", "uint4", "packed_uint3",
                                      "float4", "packed_float3", "S", "ushort4",
                                      "packed_short3", "Two"};
  static const char *const from[] = {
      "i * wide", "i * wide", "i * wide", "i * 37u", "(i % 64u) * wide",
      "gid.x * wide + gid.y", "(%U & 1023u)", "i * (wide + 1u)",
      "rin[i] % 5000u", "(gid.y * grid.x + gid.x) * wide", "i"};
  static const char *const from_large[] = {"t * wide", "lane * wide", "i * 9u",
                                           "(%U & 1023u)", "rin[i] % 5000u",
                                           "gid.x * 8u + gid.y", "i"};
  a->big = chance(g, 30);
  a->type = a->big ? ANY(g, large) : ANY(g, small);
  /* the compiler may see the buffer or a pointer into it */
  const char *where = a->big ? ANY(g, from_large) : ANY(g, from);
  mt_str_addf(g->out, "{ device const %s *row = (device const %s *)rin + ",
              a->type, a->type);
  fill(g, where, 1);
  mt_str_add(g->out,
             "; device uint *mine = rows + i * wide; float exact = 0.0f;\n");
}

/* How far it goes: a text without holes that can be read again, if uniform. */
static void row_bound(Generator *g, Along *a) {
  static const char *const known[] = {"wide", "wide", "wide", "wide - 1u",
                                      "(wide & ~3u)", "(wide / 2u)"};
  static const char *const own[] = {"(%U % wide)", "min(wide, lane + 3u)",
                                    "(rin[i + 5u] % (wide + 1u))",
                                    "((%U & 7u) == 0u ? wide : 4u)"};
  static const char *const free_[] = {"%c", "16", "64", "(uni.n % 50u)",
                                      "(par[tg & 15u] % 60u)"};
  unsigned how = pick(g, 10);
  a->inside = how < 7;
  a->uniform = how < 5 || how >= 7;
  indent(g);
  mt_str_add(g->out, "  const uint bound = ");
  fill(g, how < 5 ? ANY(g, known) : how < 7 ? ANY(g, own) : ANY(g, free_), 1);
  mt_str_add(g->out, ";\n");
}

/* What is done with an element 'el', the z-th. */
static void row_use(Generator *g) {
  static const Text use[] = {
      {0, "%v = %v * 3u + word(el);"}, {0, "%v ^= word(el) + z;"},
      {0, "%v += word(el);"}, {0, "if (word(el) & 4u) %v += z;"},
      {0, "if (word(el) > a) { a = word(el); b = z; }"},
      {0, "%v = max(%v, word(el));"}, {0, "priv[z & 7u] ^= word(el);"},
      {0, "%v ^= word(el) * in[z];"},
      {0, "%v += word(el) * rin[z * wide + (i & 15u)];"},
      {0, "%v = word(el) % 3u ? %v + z : %v ^ word(row[0]);"},
      {0, "%v += word(row[z / 2u]) ^ word(el);"},
      {FLOATS, "x += float(word(el) & 255u) * y;"},
      {FLOATS, "y = fmax(y, float(word(el) >> 9));"},
      {FLOATS, "x = fma(float(word(el) & 63u), small[z], x);"},
      {WIDE, "l = l * 5u + word(el);"}, {VECTORS, "v[z & 3u] += word(el);"},
      {VECTORS, "v += word(el) * uint4(1u, z, 3u, i);"},
      {ARRAYS, "big[z % 24u] += word(el);"},
      {ARRAYS, "%v += big[word(el) % 24u];"},
      {STRUCTS, "ps[word(el) % 3u].a += z;"},
      {NARROW, "sh += short(word(el));"},
      {0, "exact += float(word(el) & 31u);"},
      {0, "exact += float(word(el) & 31u) * float(z & 3u);"},
      {0, "exact = max(exact, float(word(el) & 4095u));"},
      {0, "if (float(word(el) & 63u) > 20.5f) exact += 1.0f;"},
      {0, "%v += z + 1u < bound ? word(row[z + 1u]) : 9u;"},
      {0, "for (uint q = 0; q < 5u; q++) { if ((word(el) >> q & 1u) == 0u) "
          "continue; %v += q; }"},
      {0, "for (uint q = 0; q < wide; q++) "
          "%v = %v * 3u + rin[i * wide + q] * (q ^ z);"},
      {0, "for (uint q = 0; q < (word(el) & 3u); q++) "
          "%v += rin[q * wide + z];"},
      {ATOMICS, "atomic_fetch_add_explicit(&acc[word(el) & 7u], z, "
                "memory_order_relaxed);"},
  };
  static const Text put[] = {
      {0, "mine[z] = %v;"}, {0, "mine[z] = %v + word(el);"},
      {0, "mine[z] += word(el);"}, {0, "rows[i * wide + z] = %U;"},
      {0, "rows[i * wide + z] ^= %v;"}, {0, "mine[wide - 1u - z] = %v;"},
      {0, "if (word(el) & 2u) mine[z] = %U;"},
      {0, "if (z > 0u) mine[z] += mine[z - 1u];"},
      {0, "if (z + 1u < wide) *(device Two *)(mine + z) = Two{%v, word(el)};"},
      {0, "if (z + 1u < wide) { uint keep = mine[z]; mine[z] = mine[z + 1u]; "
          "mine[z + 1u] = keep + z; }"},
      {0, "((device ushort *)mine)[z] = ushort(%v);"},
      {0, "((device uchar *)mine)[z * 2u] += uchar(word(el));"},
      {0, "mine[word(el) % wide] = %v;"}, {0, "%v ^= mine[z];"},
      {0, "%v += mine[(z + 1u) % wide];"},
      {0, "if (mine[z] > word(el)) mine[z] = word(el); else %v++;"},
      {FLOATS, "((device float *)mine)[z] = as_type<float>(bits(x));"},
      {0, "if (z + 2u < wide) *(device packed_uint3 *)(mine + z) = "
          "uint3(%v, z, word(el));"},
  };
  for (unsigned k = 1 + pick(g, 2); k; k--)
    line(g, choose(g, use, sizeof use / sizeof *use));
  if (chance(g, 45)) {
    const char *text = choose(g, put, sizeof put / sizeof *put);
    indent(g);
    mt_str_add(g->out, "if (z < wide) { ");
    fill(g, text, 1);
    mt_str_add(g->out, " }\n");
  }
}

/* The same without asking, where the counter is known to be inside. */
static void row_put(Generator *g) {
  static const char *const put[] = {"mine[z] = %v;",
                                    "mine[z] = %v ^ word(el);",
                                    "mine[z] = mine[z] * 3u + %v;",
                                    "rows[i * wide + z] = word(el) + %v;",
                                    "rows[i * wide + z] += %v;",
                                    "mine[wide - 1u - z] ^= %v;",
                                    "mine[z] = mine[0] + %v;",
                                    "mine[z] = %v; %v ^= mine[0];"};
  line(g, ANY(g, put));
}

static void row_body(Generator *g, const Along *a) {
  g->depth++;
  row_use(g);
  if (!g->uniform && chance(g, 30)) {
    static const char *const out[] = {
        "if ((word(el) & 31u) == (%U & 31u)) break;",
        "if (word(el) % 5u == 1u) continue;", "if (%B) continue;",
        "if (z > 2u && (word(el) & 7u) == 0u) break;"};
    line(g, ANY(g, out));
  }
  if (a->inside && chance(g, 40)) row_put(g);
  if (chance(g, 35)) statements(g, 2);
  if (a->inside && chance(g, 20)) row_put(g);
  g->depth--;
}

/* A loop over a row, in one of the ways to write it. 'z' counts, 'el' is the
** element. */
static void along(Generator *g) {
  static const char *const head[] = {
      "for (uint z = %s; z < bound; z%s) { const %s el = row[z];\n",
      "uint z = %s; while (z < bound) { const uint next = z; z%s; "
      "{ const uint z = next; const %s el = row[z];\n",
      "{ device const %s *at = row + %s; uint z = %s; "
      "for (; at < row + bound; at%s, z%s) { const %s el = *at;\n",
      "if (bound > 0u) { uint z = 0u; do { const %s el = row[z];\n",
      "for (uint z = bound; z-- > 0u;) { const %s el = row[z];\n",
      "for (int s = %s; s < int(bound); s%s) { const uint z = uint(s); "
      "const %s el = row[s];\n",
  };
  static const char *const by[] = {"++", "++", "++", " += 2", " += 3"};
  Along a;
  row_begin(g, &a);
  row_bound(g, &a);
  bool was = g->uniform, could = g->may_return;
  int loops = g->loops;
  g->uniform = was && a.uniform && g->barriers && chance(g, 30);
  g->may_return = could && !g->uniform;
  g->loops = g->uniform ? 0 : loops + 1;
  unsigned way = pick(g, 9);
  const char *step = ANY(g, by), *from = chance(g, 70) ? "0" : "1";
  if (way > 5) way = 0;
  /* 'continue' would miss the step, and 'break' leave the inner block's loop
     as it should: a while loop steps first */
  indent(g);
  mt_str_add(g->out, "  ");
  switch (way) {
    case 2:
      mt_str_addf(g->out, head[2], a.type, from, from, step, step, a.type);
      break;
    case 3: case 4: mt_str_addf(g->out, head[way], a.type); break;
    default: mt_str_addf(g->out, head[way], from, step, a.type); break;
  }
  g->depth++;
  row_body(g, &a);
  g->depth--;
  indent(g);
  mt_str_add(g->out, way == 1 || way == 2 ? "  } }"
                     : way == 3           ? "  } while (++z < bound); }"
                                          : "  }");
  mt_str_addf(g->out, " %c ^= uint(exact); }\n", variable(g));
  g->loops = loops;
  g->uniform = was;
  g->may_return = could;
}

/* -------------------------------------------------------------- other loops */

static void at_large(Generator *g) {
  static const Text texts[] = {
      {0, "for (uint z = i; z < threads * 3u + %cu; z += threads) "
          "flat[z] = flat[z] * 3u + %v;"},
      {0, "for (uint z = i; z < threads * 2u + uni.n % 99u; z += threads) { "
          "uint q = rin[z]; if (q & 1u) continue; flat[z] = q + %U; "
          "%v ^= q; }"},
      {0, "for (uint z = i; z < threads + %cu; z += threads) { "
          "if ((rin[z] & 7u) == 3u) break; flat[z] += rin[z + 1u]; }"},
      /* a picture and its neighbours */
      {0, "{ uint sum = 0; for (int dy = -1; dy <= 1; dy++) "
          "for (int dx = -1; dx <= 1; dx++) {\n"
          "  int yy = clamp(int(gid.y) + dy, 0, int(grid.y) - 1), xx = "
          "clamp(int(gid.x) + dx, 0, int(grid.x) - 1);\n"
          "  sum = sum * 3u + rin[uint(yy) * pitch + uint(xx)]; }\n"
          "  plane[place] = sum ^ %v; %v += sum; }"},
      {0, "{ uint sum = 0; int r = int(uni.n % 3u); "
          "for (int dy = -r; dy <= r; dy++) { int yy = int(gid.y) + dy; "
          "if (yy < 0 || yy >= int(grid.y)) continue;\n"
          "  for (int dx = -r; dx <= r; dx++) { int xx = int(gid.x) + dx; "
          "if (xx < 0) continue; if (xx >= int(grid.x)) break; "
          "sum += rin[uint(yy) * pitch + uint(xx)] * uint(dx + 5); } }\n"
          "  %v ^= sum; plane[place] += sum; }"},
      {0, "plane[place] = rin[place] + %v;"}, {0, "%v ^= plane[place];"},
      {0, "plane[9216u + turned] = rin[place] + 1u;"},
      {0, "plane[9216u + turned] ^= %U;"},
      {0, "plane[place] = rin[turned] ^ %v;"},
      {0, "if (gid.x < par[0] % 50u && gid.y < par[1] % 9u) "
          "plane[9216u + turned] = rin[place] + %v;"},
      /* a row of one matrix by a column of another */
      {0, "{ uint sum = 0; for (uint q = 0; q < wide; q++) "
          "sum += rin[gid.y * wide + q] * rin[q * pitch + gid.x]; "
          "plane[place] = sum; }"},
      {FLOATS, "{ float sum = 0.0f; for (uint q = 0; q < wide; q++) "
               "sum += float(rin[gid.y * wide + q] & 15u) * float(rin[q * "
               "pitch + gid.x] & 7u); x += sum; }"},
      {FLOATS, "{ float most = -1.0f; for (uint q = 0; q < wide; q++) "
               "most = fmax(most, float(rin[i * wide + q] & 1023u)); "
               "float sum = 0.0f;\n"
               "  for (uint q = 0; q < wide; q++) "
               "sum += sqrt(most - float(rin[i * wide + q] & 1023u)); "
               "for (uint q = 0; q < wide; q++)\n"
               "  rows[i * wide + q] = bits((most - float(rin[i * wide + q] & "
               "1023u)) / (sum + 1.0f)); }"},
      /* whole numbers as floats: exact in any order */
      {0, "{ float sum = 0.0f; for (uint q = 0; q < wide; q++) "
          "sum += float(rin[i * wide + q] & 15u) * float(rin[q * pitch + "
          "gid.x] & 7u); %v += uint(sum); }"},
      {0, "{ float most = -1.0f, least = 9999.0f; "
          "for (uint q = 0; q < wide; q++) { "
          "float f = float(rin[i * wide + q] & 1023u); most = max(most, f); "
          "least = min(least, f); } %v ^= uint(most * 1024.0f + least); }"},
      {0, "{ half sum = 0.0h; for (uint q = 0; q < wide; q++) "
          "sum += half(rin[i * wide + q] & 15u); %v += uint(sum); }"},
      {0, "{ float sum = 0.0f; for (uint q = 0; q < wide; q++) "
          "sum += float(rin[i * wide + q] & 63u); "
          "float mean = floor(sum / 64.0f), off = 0.0f;\n"
          "  for (uint q = 0; q < wide; q++) { "
          "float f = float(rin[i * wide + q] & 63u) - mean; off += f * f; "
          "rows[i * wide + q] = uint(f + 64.0f); } %v ^= uint(off); }"},
      {0, "{ float4 sum = 0.0f; for (uint q = 0; q < wide; q++) "
          "sum += float4(((device const uint4 *)rin)[(i % 512u) * wide + q] & "
          "31u); %v ^= uint(dot(sum, float4(1.0f, 2.0f, 3.0f, 4.0f))); }"},
      {LANES, "%v ^= uint(simd_sum(float(%U & 255u)) + simd_max(float(%U & "
              "255u)));"},
      /* helpers: methods, templates, a count that is known in one and not in
      ** another */
      {0, "{ Rng rng{%U | 1u}; for (uint q = 0; q < (%U & 7u); q++) "
          "%v ^= rng.next(); if (%B) rng.skip(%U & 3u); %v += rng.s; }"},
      {0, "%v ^= along_row<uint>(rin + i * wide, wide);"},
      {0, "%v += along_row<ushort>((device const ushort *)rin + i * wide, "
          "%U % 33u);"},
      {0, "%v ^= steps<%k>(rin + i, %U);"},
      {0, "%v += word(largest(Two{%U, %v}, Two{%v, %U}));"},
      {0, "{ device const uint *lo = rin + (i & 63u) * 16u, *hi = lo + 15u; "
          "uint key = %U; while (lo < hi) { "
          "device const uint *mid = lo + (hi - lo) / 2; "
          "if (*mid < key) lo = mid + 1; else hi = mid; } %v ^= *lo; }"},
      {0, "for (uint q = 1; q < wide; q++) { "
          "uint key = rows[i * wide + q], s = q; "
          "for (; s > 0u && rows[i * wide + s - 1u] > key; s--) "
          "rows[i * wide + s] = rows[i * wide + s - 1u]; "
          "rows[i * wide + s] = key; }"},
      {0, "{ uint local[12]; for (uint q = 0; q < 12u; q++) "
          "local[q] = rin[i * wide + q]; for (uint q = 0; q < 12u; q++) { "
          "uint s = local[q] % 12u; uint keep = local[s]; local[s] = local[q]; "
          "local[q] = keep; } %v ^= local[%U % 12u]; }"},
      {0, "{ uint bins[8] = {}; for (uint q = 0; q < wide; q++) "
          "bins[rin[i * wide + q] & 7u]++; "
          "for (uint q = 0; q < 8u; q++) %v = %v * 7u + bins[q]; }"},
      {0, "{ uint m = %U, q = (%U & 1023u) | 1u; "
          "while (q != 0u) { uint r = m % q; m = q; q = r; } %v ^= m; }"},
      {0, "{ bool found = false; for (uint q = 0; q < 6u && !found; q++) "
          "for (uint s = 0; s < 6u; s++) if ((rin[i * 6u + q] & 15u) == "
          "(rin[s * 7u + i] & 15u)) { found = true; %v += q * 8u + s; break; } "
          "}"},
      {NARROW, "for (uchar q = 0; q < uchar(wide); q++) "
               "sh += short(((device const char *)rin)[i * wide + q]);"},
      {NARROW, "for (short q = 0; q < 20; q += 3) "
               "ch ^= char(rin[int(i) * 20 + q]);"},
      {0, "{ uint h = %U; for (int q = 7; q >= 0; q--) "
          "h = h * 31u + rin[i * 8u + uint(q)]; %v ^= h; }"},
      {0, "for (uint q = 0; q < 8u; q++) { rows[i * wide + q] += %v; "
          "%v ^= rows[i * wide + q]; }"},
      {0, "{ device const uint *own = rin + (%U & 63u) * 8u; "
          "for (uint q = 0; q < 8u; q++) %v += own[q] >> q; }"},
      {WIDE, "for (ulong q = 0; q < wide; q++) "
             "l = l * 7ul + rin[i * wide + q];"},
      {KERNEL, "%v ^= qlane * 3u + quads_in * 5u + groups.x + full.y + sgs;"},
  };
  OF(g, texts, 2);
}

/* ----------------------------------------------------------- whole groups */

static void together(Generator *g) {
  static const Text texts[] = {
      /* through device memory, which only this group has */
      {0, "swap[mine_in_swap + t] = %U;\n"
          "threadgroup_barrier(mem_flags::mem_device);\n"
          "%v ^= swap[mine_in_swap + (t + %cu) % n] + swap[mine_in_swap + %U % "
          "n];\n"
          "threadgroup_barrier(mem_flags::mem_device);"},
      {0, "for (uint r = 0; r < (par[tg & 15u] & 3u); r++) { "
          "swap[mine_in_swap + t] = %v + r; "
          "threadgroup_barrier(mem_flags::mem_device | "
          "mem_flags::mem_threadgroup); %v += "
          "swap[mine_in_swap + n - 1u - t]; "
          "threadgroup_barrier(mem_flags::mem_device); }"},
      /* within a SIMD-group */
      {0, "{ uint lanes = min(32u, n - sg * 32u); tile[t] = %U; "
          "simdgroup_barrier(mem_flags::mem_threadgroup);\n"
          "for (uint s = 1u; s < 32u; s <<= 1) { "
          "uint o = lane >= s && lane < lanes ? tile[t - s] : 0u; "
          "simdgroup_barrier(mem_flags::mem_threadgroup); tile[t] += o; "
          "simdgroup_barrier(mem_flags::mem_threadgroup); }\n"
          "%v ^= tile[sg * 32u + %U % lanes]; }\n" BARRIER},
      /* how often is known to the threads and not to the compiler */
      {0, "if (t == 0u) tile[0] = rin[tg] & 3u;\n" BARRIER
          "{ const uint rounds = tile[0]; " BARRIER
          "for (uint r = 0; r < rounds; r++) { tile[t] = %v + r; " BARRIER
          " %v ^= tile[(t + 1u) % n]; " BARRIER " } }"},
      {0, "{ uint r = rin[tg] & 3u; while (r != 0u) { tile[t] = %U; " BARRIER
          " %v += tile[n - 1u - t]; r--; " BARRIER " } }"},
      {0, "{ uint r = 0; do { tile[t] = %v ^ r; " BARRIER
          " %v = tile[(t + r) % n] + %U; " BARRIER
          " } while (++r < (par[1] & 3u)); }"},
      {0, "for (uint s = n / 2u; s > 0u; s /= 2u) { tile[t] = %v; " BARRIER
          " if (t < s) %v += tile[t + s]; " BARRIER " }"},
      /* a tile with rows and columns */
      {0, "for (uint k0 = 0; k0 < wide; k0 += 16u) { "
          "for (uint z = t; z < 256u; z += n) "
          "square[z / 16u][z % 16u] = rin[tg * 7u + k0 * 16u + z]; " BARRIER
          " for (uint z = 0; z < 16u; z++) "
          "%v = %v * 3u + square[t % 16u][z] * square[z][t / 16u % 16u]; "
          BARRIER " }"},
      {0, "{ if (t < 256u) square[t / 16u][t % 16u] = %U; " BARRIER
          " if (n >= 256u) %v ^= square[t % 16u][t / 16u % 16u]; "
          "else %v += square[0][t % min(n, 16u)]; " BARRIER " }"},
      {FLOATS, "{ float sum = 0.0f; for (uint k0 = 0; k0 < 32u; k0 += 16u) { "
               "for (uint z = t; z < 256u; z += n) "
               "square[z / 16u][z % 16u] = as_type<uint>(float(rin[k0 * 16u + "
               "z] & 15u)); " BARRIER
               " for (uint z = 0; z < 16u; z++) "
               "sum += as_type<float>(square[t % 16u][z]) * "
               "as_type<float>(square[z][t / 16u % 16u]); " BARRIER
               " } x += sum; }"},
      /* bins of the group's own, then one place for all */
      {ATOMICS, "for (uint z = t; z < 4u; z += n) "
                "atomic_store_explicit(&count[z], 0u, memory_order_relaxed);\n"
                BARRIER
                "for (uint z = t; z < 200u; z += n) "
                "atomic_fetch_add_explicit(&count[rin[tg * 50u + z] & 3u], 1u, "
                "memory_order_relaxed);\n" BARRIER
                "for (uint z = t; z < 4u; z += n) "
                "atomic_fetch_add_explicit(&acc[z], "
                "atomic_load_explicit(&count[z], memory_order_relaxed), "
                "memory_order_relaxed);"},
  };
  OF(g, texts, 2);
  indent(g);
  mt_str_add(g->out, BARRIER);
}

static void shape(Generator *g) {
  if (g->uniform && g->barriers && chance(g, 35)) together(g);
  else if (chance(g, 55)) along(g);
  else at_large(g);
}

/* ------------------------------------------------------ what they stand on */

static void shapes_prelude(mt_Str *out) {
  mt_str_add(
      out,
      "struct Two { uint a, b; };\n"
      "static uint word(uint v) { return v; }\n"
      "static uint word(int v) { return uint(v); }\n"
      "static uint word(uchar v) { return v; }\n"
      "static uint word(char v) { return uint(v); }\n"
      "static uint word(ushort v) { return v; }\n"
      "static uint word(short v) { return uint(v); }\n"
      "static uint word(ulong v) { return uint(v) ^ uint(v >> 32) * 5u; }\n"
      "static uint word(float v) { return bits(v); }\n"
      "static uint word(half v) { return uint(as_type<ushort>(only(v))); }\n"
      "static uint word(uint2 v) { return v.x ^ v.y * 5u; }\n"
      "static uint word(uint4 v) { return v.x ^ v.y * 5u ^ v.z * 7u ^ v.w * "
      "9u; }\n"
      "static uint word(packed_uint3 v) { "
      "return v[0] ^ v[1] * 5u ^ v[2] * 7u; }\n"
      "static uint word(packed_float3 v) { "
      "return bits(v[0]) ^ bits(v[1]) * 5u ^ bits(v[2]) * 7u; }\n"
      "static uint word(packed_short3 v) { "
      "return uint(v[0]) ^ uint(v[1]) * 5u ^ uint(v[2]) * 7u; }\n"
      "static uint word(float4 v) { return bits(v.x) ^ bits(v.y) * 5u ^ "
      "bits(v.z) * 7u ^ bits(v.w) * 9u; }\n"
      "static uint word(ushort4 v) { return uint(v.x) ^ uint(v.y) * 5u ^ "
      "uint(v.z) * 7u ^ uint(v.w) * 9u; }\n"
      "static uint word(uchar4 v) { return uint(v.x) ^ uint(v.y) * 5u ^ "
      "uint(v.z) * 7u ^ uint(v.w) * 9u; }\n"
      "static uint word(S v) { return v.a ^ v.s * 5u ^ v.c * 7u; }\n"
      "static uint word(Two v) { return v.a ^ v.b * 5u; }\n"
      "struct Rng { uint s; uint next() { s ^= s << 13; s ^= s >> 17; "
      "s ^= s << 5; return s; } void skip(uint k) { while (k--) next(); "
      "} };\n"
      "template <typename T> static uint along_row(device const T *q, "
      "uint n) { uint s = 0; for (uint k = 0; k < n; "
      "k++) { T v = q[k]; if (v == T(0)) return s; s = s * 3u + uint(v); } "
      "return s; }\n"
      "template <uint N> static uint steps(device const uint *q, uint by) { "
      "uint s = by; for (uint k = 0; k < N; k++) s += q[k] >> (s & 7u); "
      "return s; }\n"
      "template <typename T> static T largest(T a, T b) { "
      "return word(a) < word(b) ? b : a; }\n");
}

static void shapes_parameters(Generator *g) {
  mt_str_add(
      g->out,
      "    device const uint *rin [[buffer(10)]], "
      "device uint *rows [[buffer(11)]], device uint *flat [[buffer(12)]],\n"
      "    device uint *plane [[buffer(13)]], "
      "device uint *swap [[buffer(14)]],\n"
      "    ushort qlane [[thread_index_in_quadgroup]], "
      "uint quads_in [[quadgroup_index_in_threadgroup]],\n"
      "    ushort sgs [[simdgroups_per_threadgroup]],\n");
  mt_str_add(g->out,
             g->has & LINE
                 ? "    ushort groups_ [[threadgroups_per_grid]], "
                   "uint full_ [[dispatch_threads_per_threadgroup]],\n"
                 : "    ushort3 groups [[threadgroups_per_grid]], "
                   "uint3 full [[dispatch_threads_per_threadgroup]],\n");
}

/* At the kernel's beginning; 'guard': threads at the edge go home at once. */
static void shapes_begin(Generator *g) {
  static const char *const widths[] = {"8u + par[2] % 33u",
                                       "8u + par[3] % 17u",
                                       "uni.n % 24u + 12u",
                                       "16u",
                                       "24u",
                                       "37u"};
  if (g->has & LINE)
    mt_str_add(g->out, "  const uint3 groups = uint3(groups_, 1u, 1u), "
                       "full = uint3(full_, 1u, 1u);\n");
  mt_str_addf(g->out,
              "  const uint wide = %s, pitch = "
              "grid.x + par[4] %% 3u, tall = "
              "grid.y + par[5] %% 3u;\n",
              ANY(g, widths));
  mt_str_add(g->out,
             "  const uint threads = grid.x * grid.y * grid.z, place = "
             "(gid.z * grid.y + gid.y) * pitch + gid.x,\n"
             "             turned = (gid.z * grid.x + gid.x) * tall + gid.y;\n"
             "  const uint mine_in_swap = ((group.z * groups.y + group.y) * "
             "groups.x + group.x) * full.x * full.y * full.z;\n");
  if (g->barriers) {
    mt_str_add(g->out, "  threadgroup uint square[16][17];\n");
  } else if (chance(g, 40)) {
    static const char *const guards[] = {
        "i >= threads - par[6] % 7u", "gid.x >= par[6] % 90u",
        "gid.x + 1u >= pitch || gid.y >= tall", "i >= uni.n"};
    mt_str_addf(g->out, "  if (%s) return;\n", ANY(g, guards));
  }
}

#endif
