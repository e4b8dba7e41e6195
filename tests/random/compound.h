/*
** compound.h - random control flow, calls, barriers and simdgroup matrices.
**
** 'uniform' says whether all threads of the group come here together: then
** barriers and matrices are allowed, and loops and branches may stay uniform or
** begin to diverge.
*/
#ifndef RANDOM_COMPOUND_H
#define RANDOM_COMPOUND_H

#include <string.h>

#include "tests/random/bound.h"
#include "tests/random/shapes.h"

static void block(Generator *g, int most) {
  mt_str_add(g->out, " {\n");
  g->depth++;
  statements(g, most);
  g->depth--;
  indent(g);
  mt_str_add(g->out, "}");
}

static void call(Generator *g) {
  mt_str_addf(g->out, "%c = h%u_", variable(g), g->number);
  mt_str_addf(g->out, "%u(", pick(g, (uint32_t)g->functions));
  fill(g, "%U, %U, i, t, lane, n, tg, sg, in, acc, facc, par, small, uni, ", 2);
  mt_str_add(g->out, g->has & ARRAYS && chance(g, 30) ? "big" : "priv");
  mt_str_add(g->out, ");\n");
}

/* ----------------------------------------------------------- whole groups */

/* Write, wait, read what another thread wrote, wait. All n elements are written
** and none after them, so none after them is read: there are leftovers. */
static void exchange(Generator *g) {
  static const Text written[] = {
      {0, "tile[t] = %U;"}, {0, "tile[n - 1u - t] = %U;"}, {0, "tile[t] = %U;"},
      {0, "tile[(t + %cu) % n] = %U;"}, {0, "tgp[t] = %U; tile[t] = %U;"},
      {KERNEL, "tile[(lp.z * per.y + lp.y) * per.x + lp.x] = %U;"},
      {0, "tile[t] = %U; if (%B) tile[t] ^= %U;"},
      {0, "for (uint z = t; z < n; z += n) tile[z] = %U;"},
  };
  static const Text read[] = {
      {0, "%v ^= tile[(t * %k1u + %U % 99u) % n];"}, {0, "%v += tile[%U % n];"},
      {0, "%v = tile[n - 1u - t];"}, {0, "%v ^= tile[min(t ^ %ku, n - 1u)];"},
      {0, "%v = tile[0] + tile[n / 2u];"},
      /* %k is 7 at most */
      {0, "if (t + 7u + %ku < n) %v = tile[t + %ku & 1023u];"},
      {0, "for (uint q = 0; q < n; q += %k1u) %v = %v * 3u + tile[q];"},
      {0, "%v += total(tile, n, %U & 15u);"},
      {0, "if (%B) %v ^= tile[%U % n];"},
      {0, "%v ^= *(%B ? tile + %U % n : tile);"},
  };
  OF(g, written, 2);
  indent(g);
  mt_str_add(g->out, BARRIER);
  for (unsigned k = 1 + pick(g, 2); k; k--) {
    indent(g);
    OF(g, read, 1);
  }
  indent(g);
  mt_str_add(g->out, BARRIER);
}

/* The same with pairs, and with 16 bits; the groups' borders are not a
** multiple of anything. */
static void exchange_others(Generator *g) {
  static const Text both[] = {
      {0, "pairs[t] = uint2(%U, %v);\n" BARRIER
          "%v ^= pairs[(t + %cu) % n].y; %v += pairs[%U % n].x;"},
      {0, "stile[t] = ushort(%U);\n" BARRIER
          "%v ^= uint(stile[n - 1u - t]); %v += uint(stile[%U % n]);"},
      {0, "pairs[t].x = %U; pairs[t].y = %v;\n" BARRIER
          "for (uint q = 0; q < n; q += 7u) %v = %v * 3u + pairs[q].x;"},
      {0, "stile[n - 1u - t] = ushort(%U); pairs[t] = %U;\n" BARRIER
          "if (%B) %v ^= pairs[uint(stile[t]) % n].x;"},
      {0, "((threadgroup ulong *)pairs)[t] = ulong(%U) << 32 | %v;\n" BARRIER
          "%v ^= pairs[%U % n].x + pairs[t ^ (n > (t ^ 1u) ? 1u : 0u)].y;"},
      {0, "stuff[t] = S{%U, ushort(%U), uchar(%v)};\n" BARRIER
          "{ S other = stuff[%U % n]; %v ^= other.a + other.s; "
          "%v += uint(stuff[n - 1u - t].c); }"},
      {0, "stuff[t].a = %U; stuff[n - 1u - t].s = ushort(%U); stuff[t].c = 3;\n"
          BARRIER "if (%B) stuff[t].c += uchar(stuff[t].s);\n" BARRIER
          "%v += stuff[(t + %cu) % n].c + stuff[t].a;"},
      /* a tree, as everyone writes it */
      {0, "tile[t] = %U;\n" BARRIER
          "for (uint z = 512u; z > 0u; z >>= 1) { if (t < z && t + z < n) "
          "tile[t] += tile[t + z]; " BARRIER " }\n%v += tile[0];"},
      /* a scan, with two copies and one barrier a step */
      {0, "pairs[t].x = %U;\n" BARRIER
          "for (uint z = 1u, k = 0u; z < n; z <<= 1, k ^= 1u) {\n"
          "  uint sum = pairs[t][k] + (t >= z ? pairs[t - z][k] : 0u); "
          "pairs[t][k ^ 1u] = sum; " BARRIER " }\n"
          "%v ^= pairs[t].x * 3u;"},
      {0, "for (uint round = 0; round < 3u; round++) { tile[t] = %v + round; "
          BARRIER " %v += tile[(t + 1u) % n]; " BARRIER " }"},
      /* memory whose size the launch says */
      {0, "tgp[t] = %U;\n" BARRIER "%v ^= tgp[n - 1u - t] + tgp[%U % n];"},
      {0, "tgp[(t + %cu) % n] = %U;\n" BARRIER
          "%v += total(tgp, n, %U & 15u); if (%B) %v ^= tgp[t];"},
      {0, "tgp[t] = %U; tile[n - 1u - t] = %U;\n" BARRIER
          "{ threadgroup uint *q = %B ? tgp : tile; %v ^= q[%U % n]; }"},
      /* a place for each that has something; whose it is does not show in the
      ** sum */
      {0, "if (t == 0u) atomic_store_explicit(&count[0], 0u, "
          "memory_order_relaxed);\n" BARRIER
          "if (%B) tile[atomic_fetch_add_explicit(&count[0], 1u, "
          "memory_order_relaxed)] = %U;\n" BARRIER
          "{ uint s = 0; for (uint q = 0; "
          "q < atomic_load_explicit(&count[0], memory_order_relaxed); "
          "q++) s += tile[q]; %v ^= s; }"},
      {0, "if (t == (%k + 0u) % n) tile[0] = %U;\n" BARRIER "%v ^= tile[0];"},
      /* an index that is needed after the next barrier, too */
      {0, "{ uint near = (t + %cu) % n, end = min(t + %ku, n - 1u); "
          "pairs[t] = uint2(%U, %v);\n" BARRIER
          "%v ^= pairs[near].x + pairs[end].y;\n" BARRIER "pairs[t].x = %U;\n"
          BARRIER "%v += pairs[near].y ^ pairs[end].x; }"},
      {LANES, "{ uint s = simd_sum(%U); if (simd_is_first()) tile[sg] = s;\n"
              BARRIER
              "uint s2 = 0; for (uint z = 0; z < (n + 31u) / 32u; z++) "
              "s2 += tile[z]; %v ^= s2; }"},
  };
  const char *text = choose(g, both, sizeof both / sizeof *both);
  while (g->has & MATRIX && strstr(text, "stuff")) text = both[pick(g, 5)].text;
  fill(g, text, 2);
  mt_str_add(g->out, "\n");
  indent(g);
  mt_str_add(g->out, BARRIER);
}

/* All threads add to counters, then all read them. */
static void exchange_atomic(Generator *g) {
  static const Text counted[] = {
      {0, "if (%B) atomic_fetch_add_explicit(&count[%k & 3], %U, "
          "memory_order_relaxed);"},
      {0, "atomic_fetch_add_explicit(&count[%U & 3u], %U & 15u, "
          "memory_order_relaxed);"},
      {0, "for (uint q = 0; q < (%U & 3u); q++) "
          "atomic_fetch_add_explicit(&count[q], %U, memory_order_relaxed);"},
      {0, "atomic_fetch_add_explicit(&count[%k & 3], 1u, "
          "memory_order_relaxed);"},
      {0, "atomic_fetch_max_explicit(&count[%U & 1u], %U, "
          "memory_order_relaxed); atomic_fetch_or_explicit(&count[2u], %U, "
          "memory_order_relaxed);"},
      {0, "if (%B) atomic_fetch_xor_explicit(&count[%U & 3u], %U, "
          "memory_order_relaxed);"},
      {0, "atomic_fetch_sub_explicit(&count[t & 3u], %U, "
          "memory_order_relaxed);"},
      {0, "{ uint old = atomic_load_explicit(&count[%k & 3], "
          "memory_order_relaxed); uint add = %U;\n"
          "  while (!atomic_compare_exchange_weak_explicit(&count[1], &old, "
          "old + add, memory_order_relaxed, memory_order_relaxed)) ; }"},
  };
  mt_str_add(g->out, "if (t < 4u) atomic_store_explicit(&count[t], 0u, "
                     "memory_order_relaxed);\n");
  line(g, "if (n < 4u && t == 0) for (uint q = 0; q < 4u; q++) "
          "atomic_store_explicit(&count[q], 0u, memory_order_relaxed);");
  indent(g);
  mt_str_add(g->out, BARRIER);
  indent(g);
  OF(g, counted, 2);
  indent(g);
  mt_str_add(g->out, BARRIER);
  line(g, "%v += atomic_load_explicit(&count[%U & 3u], memory_order_relaxed);");
  indent(g);
  mt_str_add(g->out, BARRIER);
}

/* A product of two matrices of small whole numbers, through memory or not. */
static void matrix(Generator *g) {
  const char *type = chance(g, 70) ? "float" : "half";
  mt_str_addf(g->out,
              "{ simdgroup_%s8x8 ma, mb; simdgroup_float8x8 mc(%u.0f);\n", type,
              pick(g, 5));
  line(g, chance(g, 50) ? "  for (uint q = 0; q < 64u; q += 32u) "
                          "ftile[sg * 64u + q + lane] = float((%U + q) & 7u);"
                        : "  ftile[sg * 64u + lane] = float(%U & 7u); "
                          "ftile[sg * 64u + 63u - lane] = float(%U & 3u);");
  line(g, "  simdgroup_barrier(mem_flags::mem_threadgroup);");
  bool whole = type[0] == 'f';
  line(g,
       whole ? "  simdgroup_load(ma, (threadgroup float *)ftile + sg * 64u, 8);"
             : "  ma = make_filled_simdgroup_matrix<half, 8, 8>(2.0h);");
  line(g, !whole ? "  mb = make_filled_simdgroup_matrix<half, 8, 8>(3.0h);"
          : chance(g, 50) ? "  simdgroup_load(mb, small + %k * 8, 8);"
                          : "  simdgroup_load(mb, small + %k, 16, "
                            "ulong2(0, 0), true);");
  line(g, "  simdgroup_multiply_accumulate(mc, ma, mb, mc);");
  if (chance(g, 40))
    line(g, "  for (uint q = 0; q < (par[tg & 15u] & 3u); q++) "
            "simdgroup_multiply_accumulate(mc, ma, mb, mc);");
  line(g, "  simdgroup_store(mc, (threadgroup float *)ftile + sg * 64u, 8);");
  line(g, "  simdgroup_barrier(mem_flags::mem_threadgroup);");
  line(g, "  %v ^= to_uint(ftile[sg * 64u + (%U & 63u)]);");
  line(g, "  %v += to_uint(float(mc.thread_elements()[0]) + "
          "float(mc.thread_elements()[1]) * 3.0f);");
  line(g, "  simdgroup_barrier(mem_flags::mem_threadgroup); }");
}

/* Four products of two left and two right matrices, a round at a time. */
static void matrix_tiles(Generator *g) {
  static const char *const from[] = {"small + q * 8u, 8", "small + 64u + q, 8",
                                     "small + %k * 8, 8, ulong2(0, 0), true",
                                     "small + %k * 4, 16"};
  static const char *const left[] = {"ma", "mb"}, *const right[] = {"mx", "my"};
  mt_str_addf(g->out,
              "{ simdgroup_float8x8 ma, mb, mx, my, m0(%u.0f), "
              "m1(1.0f), m2(0.0f), m3(2.0f);\n",
              pick(g, 5));
  line(g, chance(g, 50) ? "  for (uint q = 0; q < 1u + (par[%k] & 3u); q++) {"
                        : "  for (uint q = 0; q < 3u; q++) {");
  for (int n = 0; n < 4; n++) {
    mt_str_addf(g->out, "    simdgroup_load(%s, ",
                n < 2 ? left[n] : right[n - 2]);
    fill(g, ANY(g, from), 1);
    mt_str_add(g->out, ");\n");
  }
  for (int n = 0; n < 4; n++)
    mt_str_addf(g->out,
                "    simdgroup_multiply_accumulate(m%d, %s, %s, m%d);\n", n,
                left[n / 2], right[n % 2], n);
  line(g, "  }");
  for (int n = 0; n < 4; n++) {
    mt_str_addf(g->out,
                "  simdgroup_store(m%d, "
                "(threadgroup float *)ftile + sg * 64u, 8);\n",
                n);
    line(g, "  simdgroup_barrier(mem_flags::mem_threadgroup);");
    line(g, "  %v ^= to_uint(ftile[sg * 64u + (%U & 63u)]);");
    line(g, "  simdgroup_barrier(mem_flags::mem_threadgroup);");
  }
  line(g, "}");
}

/* ------------------------------------------------------------ control flow */

static void condition(Generator *g, bool uniform) {
  if (uniform) {
    mt_str_add(g->out, "(");
    uniform_expression(g);
    mt_str_addf(g->out, " & %uu) != 0", 1 + pick(g, 7));
    return;
  }
  static const char *const compare[] = {" < ", " == ", " >= ", " != "};
  if (chance(g, 30)) {
    const char *how = compare[pick(g, 4)];
    mt_str_addf(g->out, "lane%s%uu", how, pick(g, 33));
  } else {
    fill(g, chance(g, 50) ? "((%U + 0u) & %m) != 0u" : "%B", 2);
  }
}

/* What is inside a branch or loop that not all threads take together. */
static bool enter(Generator *g) {
  bool was = g->uniform;
  g->uniform = was && g->barriers && chance(g, 40);
  return was;
}

static void branch(Generator *g) {
  bool was = enter(g);
  mt_str_add(g->out, "if (");
  condition(g, g->uniform);
  mt_str_add(g->out, ")");
  block(g, 4);
  if (chance(g, 50)) {
    mt_str_add(g->out, " else");
    block(g, 4);
  }
  mt_str_add(g->out, "\n");
  g->uniform = was;
}

static void loop(Generator *g) {
  bool was = enter(g), could = g->may_return;
  int id = g->names++, around = g->counter;
  g->may_return = could && !g->uniform;
  bool known = chance(g, 30);
  mt_str_addf(g->out, "for (uint k%d = %u; k%d < ", id, known ? pick(g, 3) : 0,
              id);
  if (known) {
    mt_str_addf(g->out, "%uu", 2 + pick(g, 5));
  } else if (g->uniform) {
    mt_str_add(g->out, "(");
    uniform_expression(g);
    mt_str_addf(g->out, " & 3u)");
  } else {
    fill(g, chance(g, 80) ? "((%U + 0u) & 7u)" : "min(lane, 5u)", 2);
  }
  mt_str_addf(g->out, "; k%d%s)", id, chance(g, 80) ? "++" : " += 2u");
  int loops = g->loops;
  g->loops = g->uniform ? 0 : loops + 1;
  g->counter = id;
  if (g->uniform && chance(g, 30)) { /* the group leaves it together */
    mt_str_add(g->out, " {\n");
    g->depth++;
    statements(g, 2);
    indent(g);
    mt_str_add(g->out, "if (");
    condition(g, true);
    mt_str_addf(g->out, ") %s;\n", chance(g, 70) ? "break" : "continue");
    statements(g, 2);
    g->depth--;
    indent(g);
    mt_str_add(g->out, "}\n");
  } else {
    block(g, 4);
    mt_str_add(g->out, "\n");
  }
  g->loops = loops;
  g->counter = around;
  g->uniform = was;
  g->may_return = could;
}

/* A loop with its test at the end, or in the middle. */
static void endless(Generator *g) {
  bool was = g->uniform;
  int id = g->names++;
  g->uniform = false;
  mt_str_addf(g->out, "uint w%d = ", id);
  fill(g, "%U & 7u;\n", 1);
  indent(g);
  bool tail = chance(g, 50);
  mt_str_add(g->out, tail ? "do {\n" : "while (true) {\n");
  g->depth++;
  indent(g);
  mt_str_addf(g->out, "if (w%d++ > 8u) break;\n", id);
  g->loops++;
  statements(g, 3);
  if (!tail) {
    indent(g);
    mt_str_add(g->out, "if (");
    condition(g, false);
    mt_str_add(g->out, ") break;\n");
    statements(g, 2);
  }
  g->loops--;
  g->depth--;
  indent(g);
  if (tail) {
    mt_str_add(g->out, "} while (");
    condition(g, false);
    mt_str_add(g->out, ");\n");
  } else {
    mt_str_add(g->out, "}\n");
  }
  g->uniform = was;
}

/* A branch of several, which all threads of the group take together. */
static void switched_together(Generator *g) {
  mt_str_add(g->out, "switch (");
  uniform_expression(g);
  mt_str_addf(g->out, " %% %uu) {\n", 2 + pick(g, 3));
  int loops = g->loops;
  g->loops = 0;
  for (unsigned c = 0; c < 3; c++) {
    indent(g);
    mt_str_addf(g->out, c < 2 ? "case %u: {\n" : "default: {\n", c);
    g->depth++;
    statements(g, 2);
    g->depth--;
    indent(g);
    mt_str_add(g->out, chance(g, 70) ? "} break;\n" : "}\n");
  }
  g->loops = loops;
  indent(g);
  mt_str_add(g->out, "}\n");
}

static void switched(Generator *g) {
  bool was = g->uniform;
  if (was && g->barriers && chance(g, 40)) {
    switched_together(g);
    return;
  }
  g->uniform = false;
  fill(g,
       chance(g, 80) ? "switch ((%U + 0u) % 6u) {\n"
                     : "switch (int(lane) - 2) {\n",
       2);
  int loops = g->loops;
  unsigned cases = 2 + pick(g, 4);
  for (unsigned c = 0; c < cases; c++) {
    indent(g);
    mt_str_addf(g->out, "case %u: {\n", c);
    g->depth++;
    g->loops = 0; /* 'break' would leave the switch, and that is below */
    statements(g, 2);
    g->depth--;
    indent(g);
    mt_str_add(g->out, chance(g, 60) ? "} break;\n"
                       : loops && chance(g, 50) ? "} continue;\n" : "}\n");
  }
  g->loops = loops;
  indent(g);
  mt_str_add(g->out,
             chance(g, 50) ? "default: break;\n" : "default: a ^= 5u;\n");
  indent(g);
  mt_str_add(g->out, "}\n");
  g->uniform = was;
}

static void leave(Generator *g) {
  /* all threads of a group may also go home together, barriers or not */
  bool together = g->uniform && !g->inside && !g->may_return && !g->depth;
  mt_str_add(g->out, "if (");
  condition(g, together);
  mt_str_add(g->out, ") ");
  if (together)
    mt_str_add(g->out, "{ out[i] = b ^ 99u; return; }\n");
  else if (g->loops && chance(g, 80))
    mt_str_add(g->out, chance(g, 50) ? "break;\n" : "continue;\n");
  else if (g->inside)
    mt_str_addf(g->out, "return %c + 5u;\n", variable(g));
  else if (g->may_return)
    mt_str_add(g->out, "{ out[i] = a ^ 77u; return; }\n");
  else
    mt_str_add(g->out, "a++;\n");
}

static void statement(Generator *g) {
  g->budget--;
  if (g->has & SHAPES && g->depth < 4 && chance(g, 30)) {
    indent(g);
    shape(g);
    return;
  }
  if (g->has & (TWINS | JOBS) && chance(g, 30)) {
    indent(g);
    OF(g, bound, 2);
    return;
  }
  uint32_t what = pick(g, 100);
  indent(g);
  if (g->depth > 3 && what >= 45 && what < 80) what %= 45;
  if (what < 8 && g->functions) call(g);
  else if (what < 45) OF(g, simple, 2);
  else if (what < 58) branch(g);
  else if (what < 66) loop(g);
  else if (what < 71) endless(g);
  else if (what < 74) switched(g);
  else if (what < 79) leave(g);
  else if (what < 84 && g->has & ATOMICS) OF(g, atomic, 2);
  else if (what < 93 && g->has & LANES) OF(g, crossing, 2);
  else if (g->uniform && g->has & MATRIX && chance(g, 40))
    (chance(g, 50) ? matrix : matrix_tiles)(g);
  else if (g->uniform && g->barriers)
    (chance(g, 45)   ? exchange
     : chance(g, 55) ? exchange_others
                     : exchange_atomic)(g);
  else OF(g, simple, 3);
}

static void statements(Generator *g, int most) {
  int n = 1 + (int)pick(g, (uint32_t)most);
  for (int i = 0; i < n && g->budget > 0; i++) statement(g);
}

#endif
