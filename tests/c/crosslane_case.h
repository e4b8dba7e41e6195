/*
** crosslane_case.h - kernels made from the table of cross-lane operations, and
** the reference's answers, for the suites of each code generator.
*/
#ifndef MT_TESTS_C_CROSSLANE_CASE_H
#define MT_TESTS_C_CROSSLANE_CASE_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "devices/compiler/ir/crosslane.h"
#include "devices/host/run/crosslane_reference.h"

enum { MOST = 512 }; /* builtins */

typedef struct Builtin {
  mt_Crosslane is;
  char name[80];
  uint64_t result[MT_LANES];
} Builtin;

static Builtin all[MOST];
static int count;
static uint64_t value[MT_LANES], other[MT_LANES];
static uint32_t number[MT_LANES];

static const char *const scopes[] = {"simd", "quad", "matrix", "barrier"};
static const char *const suffix[] = {"",     "_f32", "_s32", "_u32",
                                     "_s64", "_u64", "_f16", "_bf16"};
static const char *const msl[] = {"",     "float", "int",  "uint",
                                  "long", "ulong", "half", "bfloat"};

static bool is_tested(mt_CrosslaneClass c) {
  return c >= MT_LANES_VOTE && c <= MT_LANES_EXCLUSIVE;
}

/* Those that kernels of source_of can call, or 'every' one of the table. */
static void find_all(bool every) {
  count = 0;
  for (int op = 1; op < MT_CROSSLANE_COUNT; op++) {
    const mt_CrosslaneRow *r = mt_crosslane_row((mt_CrosslaneOp)op);
    for (int s = 0; s < 4; s++)
      for (int t = 0; t < 8; t++) {
        if (!(r->scopes >> s & 1) || !(r->types >> t & 1)) continue;
        Builtin *b = &all[count];
        snprintf(b->name, sizeof b->name, "__mt_%s_%s%s", scopes[s], r->name,
                 suffix[t]);
        if (!mt_crosslane_find(b->name, &b->is) || (int)b->is.op != op)
          fail_msg("%s is not found by its name", b->name);
        if (!every && !is_tested(r->class)) continue;
        assert_true(++count < MOST);
      }
  }
}

/* Small floats; odd integers, whose product is not 0, with a sign bit here and
** there. */
static void fill(void) {
  uint32_t x = 12345;
  for (unsigned l = 0; l < MT_LANES; l++) {
    x = x * 1664525u + 1013904223u;
    float f = 1.0f + (float)(x >> 25) / 64.0f, g = -f;
    uint32_t low, high;
    memcpy(&low, &f, 4), memcpy(&high, &g, 4);
    value[l] = (uint64_t)(high ^ x >> 9) << 32 | low | 1 | (x >> 12 & 2);
    other[l] = ~value[l] * 3;
    number[l] = 1 + (x >> 20) % 3; /* lane 31 and a quad's last look beyond */
  }
}

static void write_call(mt_Str *s, const Builtin *b, int n) {
  const mt_CrosslaneRow *r = b->is.row;
  const char *t = msl[b->is.type];
  bool wide = b->is.type == MT_LANES_S64 || b->is.type == MT_LANES_U64;
  const char *bits = wide ? "ulong" : "uint";
  mt_str_addf(s, "    out[%d * 32 + lane] = ", n);
  if (b->is.type == MT_LANES_NO_TYPE) {
    mt_str_addf(s, "ulong(%s(%s));\n", b->name,
                r->operands ? "value[lane] >> 1 & 1" : "");
    return;
  }
  mt_str_addf(s, "as_type<%s>(%s(as_type<%s>(%s(v))", bits, b->name, t, bits);
  if (r->operands == 4) mt_str_addf(s, ", %s(w), n, 0u", bits);
  if (r->operands == 2) mt_str_addf(s, ", n");
  mt_str_addf(s, "));\n");
}

/* A kernel that calls builtins 'first' to 'end' - 1 in the lanes of 'active';
** the caller frees it. */
static char *source_of(uint32_t active, int first, int end) {
  mt_Str s = MT_STR_INIT;
  mt_str_addf(&s,
              "#include <metal_stdlib>\nusing namespace metal;\n"
              "kernel void k(device ulong *out, device const ulong *value,\n"
              "  device const ulong *other, device const uint *number,\n"
              "  uint lane [[thread_position_in_grid]]) {\n"
              "  ulong v = value[lane], w = other[lane];\n"
              "  uint n = number[lane];\n"
              "  if (%uu >> lane & 1u) {\n",
              (unsigned)active);
  for (int n = first; n < end; n++) write_call(&s, &all[n], n);
  mt_str_addf(&s, "  }\n}\n");
  return s.text;
}

/* The bits of 'v' that a value of this type has. */
static uint64_t narrow(mt_CrosslaneType t, uint64_t v) {
  return t == MT_LANES_S64 || t == MT_LANES_U64 || t == MT_LANES_NO_TYPE
             ? v
             : (uint32_t)v;
}

/* The reference's answers, into 'b->result'. */
static void refer(Builtin *b, uint32_t active) {
  uint64_t arg[MT_LANES][4] = {{0}};
  for (unsigned l = 0; l < MT_LANES; l++) {
    bool fills = b->is.row->operands == 4;
    arg[l][0] = narrow(b->is.type, value[l]);
    if (b->is.type == MT_LANES_NO_TYPE) arg[l][0] = value[l] >> 1 & 1;
    arg[l][1] = fills ? narrow(b->is.type, other[l]) : number[l];
    arg[l][2] = number[l];
  }
  memset(b->result, 0, sizeof b->result);
  mt_crosslane_apply(mt_lane_op(b->name), active, arg, b->result);
}

/* 'out': 32 answers of each builtin, by 'who'. */
static void compare(const uint64_t *out, uint32_t active, int first, int end,
                    const char *who) {
  for (int n = first; n < end; n++) {
    refer(&all[n], active);
    for (unsigned lane = 0; lane < MT_LANES; lane++) {
      if (!(active >> lane & 1)) continue;
      uint64_t want = narrow(all[n].is.type, all[n].result[lane]);
      uint64_t got = out[(unsigned)n * MT_LANES + lane];
      if (got != want)
        fail_msg("%s, lane %u of %08x: %s gives %llx, the reference %llx",
                 all[n].name, lane, (unsigned)active, who,
                 (unsigned long long)got, (unsigned long long)want);
    }
  }
}

#endif
