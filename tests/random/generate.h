/*
** generate.h - random kernels whose results are known to be well defined.
**
** A seed gives a kernel. It mixes what is hard for a vectoriser: nested divergent
** branches, loops with break and continue, switch, early return, private
** arrays, cross-lane operations in divergent code, threadgroup memory with
** barriers, atomics, small types. What Metal leaves undefined does not occur:
** divisors are odd, shifts and indices are masked, barriers are where all
** threads come together, floats hold small whole numbers, so that no rounding
** and no order of evaluation shows.
*/
#ifndef RANDOM_GENERATE_H
#define RANDOM_GENERATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

#define VARIABLES 6 /* uint a … f */

typedef struct Generator {
  uint64_t random;
  mt_Str *out;
  int budget;      /* statements left */
  int depth;
  int loops;       /* loops around; 'break' and 'continue' are possible */
  int names;       /* for fresh names */
  bool uniform;    /* control flow here is the same for the whole group */
  bool may_return; /* no barrier follows */
  bool barriers;   /* this kernel has some */
  bool lanes;      /* this kernel has cross-lane operations */
  unsigned number; /* of the kernel */
  int functions;   /* that can be called from here: h<number>_0, … */
  bool inside;     /* this is one of them */
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

/* ------------------------------------------------------------- expressions */

static void expression(Generator *g, int depth);

static void leaf(Generator *g) {
  static const char *const names[] = {"i", "t", "lane", "n", "tg", "sg"};
  switch (pick(g, 6)) {
    case 0: mt_str_addf(g->out, "%uu", pick(g, 40)); break;
    case 1: mt_str_addf(g->out, "%uu", pick(g, UINT32_MAX)); break;
    case 2: mt_str_add(g->out, names[pick(g, 6)]); break;
    default: mt_str_addf(g->out, "%c", variable(g)); break;
  }
}

/* "f(x, …)" with the parts in between given; x and y are expressions. */
static void two(Generator *g, int depth, const char *before, const char *between,
                const char *after) {
  mt_str_add(g->out, before);
  expression(g, depth - 1);
  mt_str_add(g->out, between);
  expression(g, depth - 1);
  mt_str_add(g->out, after);
}

static void one(Generator *g, int depth, const char *before, const char *after) {
  mt_str_add(g->out, before);
  expression(g, depth - 1);
  mt_str_add(g->out, after);
}

static void integer_operation(Generator *g, int d) {
  switch (pick(g, 22)) {
    case 0: case 1: case 2: two(g, d, "(", " + ", ")"); break;
    case 3: case 4: two(g, d, "(", " - ", ")"); break;
    case 5: case 6: two(g, d, "(", " * ", ")"); break;
    case 7: two(g, d, "(", " ^ ", ")"); break;
    case 8: two(g, d, "(", " & ", ")"); break;
    case 9: two(g, d, "(", " | ", ")"); break;
    case 10: two(g, d, "(", " << (", " & 31u))"); break;
    case 11: two(g, d, "(", " >> (", " & 31u))"); break;
    case 12: two(g, d, "(", " / (", " | 1u))"); break;
    case 13: two(g, d, "(", " % (", " | 1u))"); break;
    case 14: two(g, d, "uint(int(", ") >> (", " & 31u))"); break;
    case 15: two(g, d, "min(", ", ", ")"); break;
    case 16: two(g, d, "uint(max(int(", "), int(", ")))"); break;
    case 17: one(g, d, "popcount(", ")"); break;
    case 18: one(g, d, "reverse_bits(", ")"); break;
    case 19: two(g, d, "mulhi(", ", ", ")"); break;
    case 20: one(g, d, "clz(", ")"); break;
    default: two(g, d, "rotate(", ", ", " & 31u)"); break;
  }
}

static void small_types(Generator *g, int d) {
  switch (pick(g, 8)) {
    case 0: two(g, d, "uint(uchar(", " + ", "))"); break;
    case 1: one(g, d, "uint(int(short(", ")))"); break;
    case 2: two(g, d, "uint((ulong(", ") * ", ") >> 17)"); break;
    case 3: two(g, d, "uint(long(int(", ")) - long(int(", ")))"); break;
    case 4: one(g, d, "uint(half(", " & 511u) * 2.0h)"); break;
    case 5: two(g, d, "uint4(", ", 3u, ", ", 5u).zyxw.z"); break;
    case 6:
      two(g, d, "uint(float(", " & 255u) * float(", " & 255u) + 3.0f)");
      break;
    default:
      two(g, d, "uint(dot(float2(", " & 63u, 2.0f), float2(3.0f, ", " & 63u)))");
      break;
  }
}

static void choice(Generator *g, int d) {
  static const char *const compare[] = {" < ", " == ", " >= ", " != ", " > "};
  mt_str_add(g->out, "(");
  two(g, d, "", compare[pick(g, 5)], "");
  if (chance(g, 30)) two(g, d, chance(g, 50) ? " && " : " || ", " > ", "");
  two(g, d, " ? ", " : ", ")");
}

static void memory(Generator *g, int d) {
  if (chance(g, 50))
    one(g, d, "in[", " & 1023u]");
  else
    one(g, d, "priv[", " & 7u]");
}

static void expression(Generator *g, int depth) {
  uint32_t what = pick(g, 100);
  if (depth <= 0 || what < 20) leaf(g);
  else if (what < 62) integer_operation(g, depth);
  else if (what < 76) small_types(g, depth);
  else if (what < 88) choice(g, depth);
  else memory(g, depth);
}

/* C++ reads "(uint(x)) & y" as a cast, so what stands in parentheses is made a
** sum by those who put it there. */

/* Something that is the same for the whole threadgroup. */
static void uniform_expression(Generator *g) {
  switch (pick(g, 5)) {
    case 0: mt_str_addf(g->out, "(tg * %uu + %uu)", pick(g, 9), pick(g, 9)); break;
    case 1: mt_str_addf(g->out, "in[(tg + %uu) & 1023u]", pick(g, 99)); break;
    case 2: mt_str_addf(g->out, "(n + %uu)", pick(g, 9)); break;
    case 3: mt_str_addf(g->out, "(in[%u] ^ tg)", pick(g, 99)); break;
    default: mt_str_addf(g->out, "%uu", pick(g, 99)); break;
  }
}

/* --------------------------------------------------------------- statements */

static void statements(Generator *g, int most);

static void block(Generator *g, int most) {
  mt_str_add(g->out, " {\n");
  g->depth++;
  statements(g, most);
  g->depth--;
  indent(g);
  mt_str_add(g->out, "}");
}

static void assign(Generator *g) {
  static const char *const how[] = {" = ", " += ", " ^= ", " = ", " -= "};
  mt_str_addf(g->out, "%c%s", variable(g), how[pick(g, 5)]);
  expression(g, 3);
  mt_str_add(g->out, ";\n");
}

static void call(Generator *g) {
  mt_str_addf(g->out, "%c = h%u_%u(", variable(g), g->number,
              pick(g, (uint32_t)g->functions));
  expression(g, 2);
  mt_str_add(g->out, ", ");
  expression(g, 1);
  mt_str_add(g->out, ", i, t, lane, n, tg, sg, in, acc, priv);\n");
}

static void store(Generator *g) {
  mt_str_add(g->out, "priv[");
  expression(g, 1);
  mt_str_add(g->out, " & 7u] ");
  mt_str_add(g->out, chance(g, 50) ? "= " : "+= ");
  expression(g, 2);
  mt_str_add(g->out, ";\n");
}

static void atomics(Generator *g) {
  static const char *const how[] = {"add", "xor", "max", "min", "or", "and"};
  unsigned h = pick(g, 6); /* a place for each, so that order does not show */
  mt_str_addf(g->out, "atomic_fetch_%s_explicit(&acc[%uu + (", how[h], h * 8);
  expression(g, 1);
  mt_str_add(g->out, " & 7u)], ");
  expression(g, 2);
  mt_str_add(g->out, ", memory_order_relaxed);\n");
}

static void cross_lane(Generator *g) {
  static const char *const reductions[] = {
      "simd_sum", "simd_min", "simd_max", "simd_and", "simd_or", "simd_xor",
      "simd_product", "simd_prefix_inclusive_sum", "simd_prefix_exclusive_sum",
      "simd_prefix_inclusive_product", "simd_broadcast_first", "quad_sum",
      "quad_max", "quad_prefix_inclusive_sum", "quad_broadcast_first",
      "quad_xor"};
  static const char *const moves[] = {
      "simd_shuffle", "simd_shuffle_xor", "simd_shuffle_up",
      "simd_shuffle_down", "simd_shuffle_rotate_up", "simd_shuffle_rotate_down",
      "quad_shuffle", "quad_shuffle_xor", "quad_shuffle_up",
      "quad_shuffle_down", "simd_broadcast"};
  mt_str_addf(g->out, "%c = ", variable(g));
  switch (pick(g, 5)) {
    case 0: case 1:
      mt_str_addf(g->out, "%s(", reductions[pick(g, 16)]);
      expression(g, 2);
      mt_str_add(g->out, ");\n");
      break;
    case 2: case 3: {
      unsigned m = pick(g, 11);
      bool quad = moves[m][0] == 'q';
      mt_str_addf(g->out, "%s(", moves[m]);
      expression(g, 2);
      if (m == 0 && chance(g, 50))
        two(g, 2, ", ushort((", " + ", ") & 31u));\n");
      else
        mt_str_addf(g->out, ", ushort(%u));\n", pick(g, quad ? 4 : 32));
      break;
    }
    default:
      two(g, 2, "uint(ulong(simd_ballot(", " > ", ")));\n");
      break;
  }
}

/* Write, wait, read what another thread wrote, wait. */
static void exchange(Generator *g) {
  char v = variable(g);
  mt_str_add(g->out, "tile[t] = ");
  expression(g, 2);
  mt_str_add(g->out, ";\n");
  indent(g);
  mt_str_add(g->out, "threadgroup_barrier(mem_flags::mem_threadgroup);\n");
  indent(g);
  mt_str_addf(g->out, "%c ^= tile[(t * %uu + ", v, 2 * pick(g, 9) + 1);
  expression(g, 1);
  mt_str_add(g->out, ") % n];\n");
  indent(g);
  mt_str_add(g->out, "threadgroup_barrier(mem_flags::mem_threadgroup);\n");
}

/* All threads add to counters, then all read them. */
static void exchange_atomic(Generator *g) {
  int c = g->names++ % 4;
  char v = variable(g);
  mt_str_addf(g->out, "if (t == 0) atomic_store_explicit(&count[%d], 0u, "
              "memory_order_relaxed);\n", c);
  indent(g);
  mt_str_add(g->out, "threadgroup_barrier(mem_flags::mem_threadgroup);\n");
  indent(g);
  one(g, 2, "if (((", " + 0u) & 1u) == 0) ");
  mt_str_addf(g->out, "atomic_fetch_add_explicit(&count[%d], ", c);
  expression(g, 2);
  mt_str_add(g->out, ", memory_order_relaxed);\n");
  indent(g);
  mt_str_add(g->out, "threadgroup_barrier(mem_flags::mem_threadgroup);\n");
  indent(g);
  mt_str_addf(g->out, "%c += atomic_load_explicit(&count[%d], "
              "memory_order_relaxed);\n", v, c);
  indent(g);
  mt_str_add(g->out, "threadgroup_barrier(mem_flags::mem_threadgroup);\n");
}

static void condition(Generator *g, bool uniform) {
  if (uniform) {
    mt_str_add(g->out, "(");
    uniform_expression(g);
    mt_str_addf(g->out, " & %uu) != 0", 1 + pick(g, 7));
    return;
  }
  static const char *const compare[] = {" < ", " == ", " >= ", " != "};
  if (chance(g, 40)) {
    mt_str_addf(g->out, "lane%s%uu", compare[pick(g, 4)], pick(g, 33));
    return;
  }
  mt_str_add(g->out, "((");
  expression(g, 2);
  mt_str_addf(g->out, " + 0u) & %uu)%s%uu", 1 + pick(g, 7), compare[pick(g, 4)],
              pick(g, 3));
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
  int id = g->names++;
  g->may_return = could && !g->uniform;
  mt_str_addf(g->out, "for (uint k%d = 0; k%d < ", id, id);
  if (g->uniform) {
    mt_str_add(g->out, "(");
    uniform_expression(g);
    mt_str_addf(g->out, " & 3u)");
  } else {
    one(g, 2, "((", " + 0u) & 7u)");
  }
  mt_str_addf(g->out, "; k%d++)", id);
  g->loops += !g->uniform;
  int loops = g->loops;
  if (g->uniform) g->loops = 0;
  block(g, 4);
  g->loops = loops - !g->uniform;
  mt_str_add(g->out, "\n");
  g->uniform = was;
  g->may_return = could;
}

/* A loop with its test at the end, or in the middle. */
static void endless(Generator *g) {
  bool was = g->uniform;
  int id = g->names++;
  g->uniform = false;
  mt_str_addf(g->out, "uint w%d = ", id);
  expression(g, 1);
  mt_str_addf(g->out, " & 7u;\n");
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

static void switched(Generator *g) {
  bool was = g->uniform;
  g->uniform = false;
  one(g, 2, "switch ((", " + 0u) % 6u) {\n");
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
    mt_str_add(g->out, chance(g, 70) ? "} break;\n" : "}\n");
  }
  g->loops = loops;
  indent(g);
  mt_str_add(g->out, "default: break;\n");
  indent(g);
  mt_str_add(g->out, "}\n");
  g->uniform = was;
}

static void leave(Generator *g) {
  mt_str_add(g->out, "if (");
  condition(g, false);
  mt_str_add(g->out, ") ");
  if (g->loops && chance(g, 80))
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
  uint32_t what = pick(g, 100);
  indent(g);
  if (g->depth > 4 && what >= 40 && what < 80) what %= 40;
  if (what < 10 && g->functions) call(g);
  else if (what < 32) assign(g);
  else if (what < 40) store(g);
  else if (what < 58) branch(g);
  else if (what < 68) loop(g);
  else if (what < 74) endless(g);
  else if (what < 78) switched(g);
  else if (what < 83) leave(g);
  else if (what < 86) atomics(g);
  else if (what < 93 && g->lanes) cross_lane(g);
  else if (g->uniform && g->barriers)
    (chance(g, 70) ? exchange : exchange_atomic)(g);
  else assign(g);
}

static void statements(Generator *g, int most) {
  int n = 1 + (int)pick(g, (uint32_t)most);
  for (int i = 0; i < n && g->budget > 0; i++) statement(g);
}

/* A function with branches, loops and returns of its own, to be inlined. */
static void function(Generator *g) {
  Generator f = {.random = g->random ^ 0x5bd1e995u, .out = g->out,
                 .budget = 3 + (int)pick(g, 8), .names = 100,
                 .lanes = g->lanes, .number = g->number,
                 .functions = g->functions, .inside = true};
  mt_str_addf(g->out,
      "static uint h%u_%d(uint a, uint b, uint i, uint t, uint lane, uint n,\n"
      "    uint tg, uint sg, device const uint *in, device atomic_uint *acc,\n"
      "    thread uint *priv) {\n"
      "  uint c = a ^ b, d = in[(a + t) & 1023u], e = lane * 3u, f = n + tg;\n"
      "  d += sg + i;\n", g->number, g->functions);
  while (f.budget > 0) statement(&f);
  mt_str_add(g->out, "  return a + b * 3u + c * 5u + d * 7u + e * 11u + f;\n}\n");
  g->functions++;
}

/* Append "kernel void k<number>(…)" for 'seed'. */
static void generate(mt_Str *out, uint64_t seed, unsigned number) {
  Generator g = {.random = seed * 0x9e3779b97f4a7c15u + 1, .out = out,
                 .uniform = true, .number = number};
  for (int i = 0; i < 4; i++) pick(&g, 2);
  g.barriers = chance(&g, 50);
  g.lanes = chance(&g, 60);
  g.budget = 8 + (int)pick(&g, 40);
  for (unsigned n = chance(&g, 50) ? 1 + pick(&g, 2) : 0; n; n--) function(&g);
  mt_str_addf(out,
      "kernel void k%u(device const uint *in [[buffer(0)]],\n"
      "               device uint *out [[buffer(1)]],\n"
      "               device atomic_uint *acc [[buffer(2)]],\n"
      "               uint2 gid [[thread_position_in_grid]],\n"
      "               uint2 grid [[threads_per_grid]],\n"
      "               uint2 group [[threadgroup_position_in_grid]],\n"
      "               uint2 per [[threads_per_threadgroup]],\n"
      "               uint t [[thread_index_in_threadgroup]],\n"
      "               uint lane [[thread_index_in_simdgroup]],\n"
      "               uint sg [[simdgroup_index_in_threadgroup]]) {\n", number);
  mt_str_add(out,
      "  uint i = gid.y * grid.x + gid.x, n = per.x * per.y;\n"
      "  uint tg = group.y * 5u + group.x;\n"
      "  uint a = in[i & 1023u], b = i * 7u, c = lane, d = t ^ 21u,\n"
      "       e = in[(i * 3u + 1u) & 1023u], f = gid.y + 5u;\n"
      "  uint priv[8];\n"
      "  for (uint p = 0; p < 8u; p++) priv[p] = a * p + i;\n");
  if (g.barriers)
    mt_str_add(out, "  threadgroup uint tile[1024];\n"
                    "  threadgroup atomic_uint count[4];\n");
  while (g.budget > 4) statement(&g);
  g.uniform = false; /* no barrier from here on */
  g.may_return = true;
  g.budget += 6;
  while (g.budget > 0) statement(&g);
  mt_str_add(out, "  uint all = a + b * 3u + c * 5u + d * 7u + e * 11u + f * 13u;\n"
                  "  for (uint p = 0; p < 8u; p++) all = all * 31u + priv[p];\n"
                  "  out[i] = all;\n}\n");
}

#endif
