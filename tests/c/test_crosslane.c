/*
** test_crosslane.c - the table of cross-lane operations: every row works in
** both engines, and means what no other row means.
**
** The kernels are made from the table itself. A row without code falls to some
** other row's, which the last comparison finds.
*/
#include "vectorise_case.h"

#include "base/str.h"
#include "devices/compiler/ir/crosslane.h"
#include "devices/host/run/crosslane_reference.h"

enum { MOST = 512 };

typedef struct Builtin {
  mt_Crosslane is;
  char name[80];
  uint64_t result[MT_LANES];
} Builtin;

static Builtin all[MOST];
static int count;
static uint64_t value[MT_LANES], other[MT_LANES];
static uint32_t number[MT_LANES];

static const char *const scopes[] = {"simd", "quad"};
static const char *const suffix[] = {"",     "_f32", "_s32", "_u32",
                                     "_s64", "_u64", "_f16", "_bf16"};
static const char *const msl[] = {"",     "float", "int",  "uint",
                                  "long", "ulong", "half", "bfloat"};

static bool is_tested(mt_CrosslaneClass c) {
  return c >= MT_LANES_VOTE && c <= MT_LANES_EXCLUSIVE;
}

static void find_all(void) {
  count = 0;
  for (int op = 1; op < MT_CROSSLANE_COUNT; op++) {
    const mt_CrosslaneRow *r = mt_crosslane_row((mt_CrosslaneOp)op);
    for (int s = 0; s < 2; s++)
      for (int t = 0; t < 8; t++) {
        if (!(r->scopes >> s & 1) || !(r->types >> t & 1)) continue;
        Builtin *b = &all[count];
        snprintf(b->name, sizeof b->name, "__mt_%s_%s%s", scopes[s], r->name,
                 suffix[t]);
        if (!mt_crosslane_find(b->name, &b->is) || (int)b->is.op != op)
          fail_msg("%s is not found by its name", b->name);
        if (!is_tested(r->class)) continue;
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

/* 'active': the lanes that call. */
static char *source_of(uint32_t active) {
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
  for (int n = 0; n < count; n++) write_call(&s, &all[n], n);
  mt_str_addf(&s, "  }\n}\n");
  return s.text;
}

static uint64_t narrow(mt_CrosslaneType t, uint64_t v) {
  return t == MT_LANES_S64 || t == MT_LANES_U64 || t == MT_LANES_NO_TYPE
             ? v
             : (uint32_t)v;
}

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

static void run_with(uint32_t active) {
  char *source = source_of(active);
  uint64_t *out = calloc((size_t)count * MT_LANES, sizeof *out);
  Launch l = {.source = source,
              .args = {ARG(out), ARG(value), ARG(other), ARG(number)},
              .grid = {MT_LANES, 1, 1}, .group = {MT_LANES, 1, 1}};
  test_run(&l);
  for (int n = 0; n < count; n++) {
    refer(&all[n], active);
    for (unsigned lane = 0; lane < MT_LANES; lane++) {
      if (!(active >> lane & 1)) continue;
      uint64_t want = narrow(all[n].is.type, all[n].result[lane]);
      uint64_t got = out[(unsigned)n * MT_LANES + lane];
      if (got != want)
        fail_msg("%s, lane %u of %08x: the vectoriser gives %llx, the "
                 "reference %llx",
                 all[n].name, lane, (unsigned)active, (unsigned long long)got,
                 (unsigned long long)want);
    }
  }
  free(out);
}

static void test_engines_agree(void **state) {
  (void)state;
  fill();
  find_all();
  run_with(UINT32_MAX);
  run_with(0x6db6f1a5);
}

/* broadcast is a shuffle by a number that all lanes have alike. */
static bool may_agree(mt_CrosslaneOp a, mt_CrosslaneOp b) {
  return (a == MT_CROSSLANE_SHUFFLE && b == MT_CROSSLANE_BROADCAST);
}

static void test_rows_differ(void **state) {
  (void)state;
  fill();
  find_all();
  for (int n = 0; n < count; n++) refer(&all[n], 0xedb6f1a5);
  for (int a = 0; a < count; a++)
    for (int b = a + 1; b < count; b++) {
      const mt_Crosslane *x = &all[a].is, *y = &all[b].is;
      if (x->op == y->op || x->scope != y->scope || x->type != y->type ||
          may_agree(x->op, y->op))
        continue;
      if (!memcmp(all[a].result, all[b].result, sizeof all[a].result))
        fail_msg("%s gives what %s gives: has it code of its own?",
                 all[b].name, all[a].name);
    }
}

static void test_names(void **state) {
  mt_Crosslane c;
  (void)state;
  static const char *const wrong[] = {
      "", "__mt_", "__mt_simd_", "__mt_simd_sum", "__mt_simd_sum_f64",
      "__mt_simd_sum_f32x", "__mt_quad_lane", "__mt_simd_and_f32",
      "__mt_matrix_sum_f32", "simd_sum_f32", "__mt_simd_shuffle_up"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    if (mt_crosslane_find(wrong[i], &c) || c.op != MT_CROSSLANE_NONE)
      fail_msg("'%s' is taken for a builtin", wrong[i]);
  assert_true(mt_crosslane_find("__mt_matrix_store_bf16", &c));
  assert_true(c.op == MT_CROSSLANE_MATRIX_STORE && c.type == MT_LANES_BF16);
  assert_true(mt_crosslane_find(MT_LANE_NUMBER, &c));
  assert_true(mt_crosslane_find(MT_HOLD "u64", &c));
  assert_true(c.op == MT_CROSSLANE_HOLD && c.row->operands == 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_names),
      cmocka_unit_test(test_engines_agree),
      cmocka_unit_test(test_rows_differ),
  };
  return cmocka_run_group_tests_name("crosslane", tests, NULL, NULL);
}
