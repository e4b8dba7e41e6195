/*
** test_crosslane.c - the table of cross-lane operations: every row works in
** both engines, and means what no other row means.
**
** The kernels are made from the table itself. A row without code falls to some
** other row's, which the last comparison finds.
**
** Guards: msl/include/metal/__crosslane, devices/compiler/ir/crosslane.c: every
** row of the table in the vectoriser as in the reference, and no row does what
** another does; devices/host/run/crosslane_reference.c,
** devices/host/emit/crosslane.c, devices/host/analyse/crosslane_call.c
*/
#include "tests/c/vectorise_case.h"

#include "tests/c/crosslane_case.h"

static void run_with(uint32_t active) {
  char *source = source_of(active, 0, count);
  uint64_t *out = calloc((size_t)count * MT_LANES, sizeof *out);
  Launch l = {.source = source,
              .args = {ARG(out), ARG(value), ARG(other), ARG(number)},
              .grid = {MT_LANES, 1, 1}, .group = {MT_LANES, 1, 1}};
  test_run(&l);
  compare(out, active, 0, count, "the vectoriser");
  free(out);
  free(source);
}

static void test_engines_agree(void **state) {
  (void)state;
  fill();
  find_all(false);
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
  find_all(false);
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
