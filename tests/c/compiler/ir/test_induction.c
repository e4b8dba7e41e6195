/*
** test_induction.c - compiler/ir/induction.c: trip counts beside a loop that is
** walked, for every comparison, either way round, of loops that go up and down;
** and what is no induction variable.
**
** Guards: devices/compiler/ir/induction.c: trip counts beside loops that are
** walked; what is no induction variable
*/
#include "devices/compiler/ir/induction.h"

#include "tests/c/ir_case.h"

#define MOST 20 /* iterations to look at */

/* What is compared: the counter, the next one, or the counter and 5. */
enum { THIS, NEXT, MORE, FORMS };
static const char *const compared[] = {"%i", "%next", "%more"};
static const char *const predicates[] = {"eq",  "ne",  "ult", "ule", "ugt",
                                         "uge", "slt", "sle", "sgt", "sge"};

static LLVMContextRef context;

typedef struct Loop {
  int start, step, end;
  int form, is;
  bool stays;
} Loop;

static bool holds(int is, int a, int b) {
  unsigned x = (unsigned)a, y = (unsigned)b;
  switch (is) {
    case 0: return a == b;
    case 1: return a != b;
    case 2: return x < y;
    case 3: return x <= y;
    case 4: return x > y;
    case 5: return x >= y;
    case 6: return a < b;
    case 7: return a <= b;
    case 8: return a > b;
    default: return a >= b;
  }
}

/* Until they are equal: however long it takes. */
static int walked(const Loop *l) {
  bool equality = l->is == (l->stays ? 1 : 0);
  int more = l->form == NEXT ? l->step : l->form == MORE ? 5 : 0;
  int i = l->start, most = equality ? 1000 : MOST;
  for (int n = 1; n <= most; n++, i += l->step)
    if (holds(l->is, i + more, l->end) != l->stays) return n;
  return 0;
}

static int counted(const Loop *l) {
  char text[700];
  snprintf(text, sizeof text,
           "define void @f() {\n"
           "entry: br label %%loop\n"
           "loop: %%i = phi i32 [%d, %%entry], [%%next, %%loop]\n"
           "%%next = add i32 %%i, %d\n%%more = add i32 %%i, 5\n"
           "%%c = icmp %s i32 %s, %d\nbr i1 %%c, label %%%s, label %%%s\n"
           "out: ret void\n}\n",
           l->start, l->step, predicates[l->is], compared[l->form], l->end,
           l->stays ? "loop" : "out", l->stays ? "out" : "loop");
  LLVMModuleRef m = ir_parse(context, text);
  LLVMValueRef c = ir_named(m, "c");
  int64_t n =
      mt_trip_count(LLVMGetInstructionParent(c), c, l->stays, MOST);
  LLVMDisposeModule(m);
  return (int)n;
}

static void compare(const Loop *l) {
  int n = counted(l), expected = walked(l);
  if (n != expected)
    fail_msg("from %d by %d, %s while %s%s %d: %d iterations, expected %d",
             l->start, l->step, compared[l->form], l->stays ? "" : "not ",
             predicates[l->is], l->end, n, expected);
}

static void test_trip_counts(void **state) {
  (void)state;
  static const int starts[] = {0, 1, -4, 17}, steps[] = {1, -1, 2, -3, 4},
                   ends[] = {0, 1, 16, 17, -4, 4};
  Loop l;
  for (l.is = 0; l.is < 10; l.is++)
    for (l.form = 0; l.form < FORMS; l.form++)
      for (int way = 0; way < 2; way++)
        for (size_t a = 0; a < sizeof starts / sizeof *starts; a++)
          for (size_t b = 0; b < sizeof steps / sizeof *steps; b++)
            for (size_t c = 0; c < sizeof ends / sizeof *ends; c++) {
              l.stays = way == 0;
              l.start = starts[a], l.step = steps[b], l.end = ends[c];
              compare(&l);
            }
}

/* Exactly as many iterations as are looked at, and one more. */
static void test_most(void **state) {
  (void)state;
  Loop l = {.step = 1, .is = 6, .stays = true, .end = MOST - 1};
  assert_int_equal(counted(&l), MOST);
  l.end = MOST;
  assert_int_equal(counted(&l), 0);
  l.is = 1; /* != needs no walk */
  l.end = 1 << 30;
  assert_int_equal(counted(&l), (1 << 30) + 1);
}

/* A loop with these lines for its counter and condition. */
static int64_t count_of(const char *lines) {
  char text[900];
  snprintf(text, sizeof text,
           "define void @f(i32 %%n, ptr %%p) {\n"
           "entry: br label %%loop\nloop:\n%s\n"
           "br i1 %%c, label %%loop, label %%out\nout: ret void\n}\n", lines);
  LLVMModuleRef m = ir_parse(context, text);
  LLVMValueRef c = ir_named(m, "c");
  int64_t n = mt_trip_count(LLVMGetInstructionParent(c), c, true, MOST);
  LLVMDisposeModule(m);
  return n;
}

#define PHI(start) "%i = phi i32 [" start ", %entry], [%next, %loop]\n"
#define PLAIN PHI("0") "%next = add i32 %i, 1\n"

static void test_not_known(void **state) {
  (void)state;
  assert_int_equal(count_of(PLAIN "%c = icmp slt i32 %i, 3"), 4);
  static const char *const rows[] = {
      PLAIN "%c = icmp slt i32 %i, %n",
      PHI("%n") "%next = add i32 %i, 1\n%c = icmp slt i32 %i, 3",
      PHI("0") "%next = add i32 %i, %n\n%c = icmp slt i32 %i, 3",
      PHI("0") "%next = add i32 %i, 0\n%c = icmp slt i32 %i, 3",
      PHI("0") "%next = mul i32 %i, 1\n%c = icmp slt i32 %i, 3",
      PHI("0") "%next = sub i32 %i, 1\n%c = icmp slt i32 %i, 3",
      PHI("0") "%next = add i32 1, %i\n%c = icmp slt i32 %i, 3",
      PLAIN "%x = sub i32 %i, 1\n%c = icmp slt i32 %x, 3",
      PLAIN "%x = add i32 %i, %n\n%c = icmp slt i32 %x, 3",
      PLAIN "%c = icmp slt i32 %n, 3",
      PLAIN "%f = sitofp i32 %i to float\n%c = fcmp olt float %f, 3.0",
      PHI("0") "%next = add i32 %i, 2\n%c = icmp ne i32 %i, 3",
      PHI("0") "%next = add i32 %i, -1\n%c = icmp ne i32 %i, 3",
      ("%i = phi ptr [%p, %entry], [%next, %loop]\n"
       "%next = getelementptr i32, ptr %i, i64 1\n%c = icmp ne ptr %i, null"),
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (count_of(rows[i]) != 0) fail_msg("a trip count for\n%s", rows[i]);
}

/* i8 compares its eight bits without a sign; i128 is not looked at. */
static void test_widths(void **state) {
  (void)state;
  assert_int_equal(
      count_of("%i = phi i8 [-6, %entry], [%next, %loop]\n"
               "%next = add i8 %i, 1\n%c = icmp ult i8 %i, -2"), 5);
  assert_int_equal(
      count_of("%i = phi i64 [-6, %entry], [%next, %loop]\n"
               "%next = add i64 %i, 1\n%c = icmp ult i64 %i, -2"), 5);
  assert_int_equal(
      count_of("%i = phi i128 [0, %entry], [%next, %loop]\n"
               "%next = add i128 %i, 1\n%c = icmp ult i128 %i, 4"), 0);
}

/* The counter of another loop is not this loop's. */
static void test_inner(void **state) {
  (void)state;
  LLVMModuleRef m = ir_parse(context, 
      "define void @f() {\nentry: br label %outer\n"
      "outer: %j = phi i32 [0, %entry], [%up, %next]\nbr label %inner\n"
      "inner: %i = phi i32 [0, %outer], [%more, %inner]\n"
      "%more = add i32 %i, 1\n%c = icmp slt i32 %i, 7\n"
      "br i1 %c, label %inner, label %next\n"
      "next: %up = add i32 %j, 1\n%d = icmp slt i32 %j, 2\n"
      "br i1 %d, label %outer, label %out\nout: ret void\n}\n");
  LLVMBasicBlockRef outer = LLVMGetInstructionParent(ir_named(m, "j"));
  LLVMBasicBlockRef inner = LLVMGetInstructionParent(ir_named(m, "i"));
  LLVMValueRef c = ir_named(m, "c"), d = ir_named(m, "d");
  assert_int_equal(mt_trip_count(inner, c, true, MOST), 8);
  assert_int_equal(mt_trip_count(outer, d, true, MOST), 3);
  assert_int_equal(mt_trip_count(outer, c, true, MOST), 0);
  LLVMDisposeModule(m);
}

static void test_pointer(void **state) {
  (void)state;
  LLVMModuleRef m = ir_parse(context, 
      "define void @f(ptr %p, i32 %n) {\nentry: br label %loop\n"
      "loop: %q = phi ptr [%p, %entry], [%on, %loop]\n"
      "%i = phi i32 [%less, %loop], [7, %entry]\n"
      "%k = phi i32 [0, %entry], [%n, %loop]\n"
      "%on = getelementptr i32, ptr %q, i64 3\n%less = add i32 %i, -1\n"
      "%c = icmp ne i32 %i, 0\nbr i1 %c, label %loop, label %out\n"
      "out: ret void\n}\n");
  mt_Induction v;
  int64_t n;
  assert_true(mt_induction_find(ir_named(m, "q"), &v));
  assert_ptr_equal(v.next, ir_named(m, "on"));
  assert_ptr_equal(v.start, LLVMGetParam(LLVMGetFirstFunction(m), 0));
  assert_true(mt_const_number(v.by, &n) && n == 3);
  assert_int_equal(LLVMGetTypeKind(v.unit), LLVMIntegerTypeKind);
  assert_true(mt_induction_find(ir_named(m, "i"), &v));
  assert_ptr_equal(v.next, ir_named(m, "less"));
  assert_true(mt_const_number(v.start, &n) && n == 7);
  assert_true(mt_const_number(v.by, &n) && n == -1);
  assert_null(v.unit);
  assert_false(mt_induction_find(ir_named(m, "k"), &v));
  assert_false(mt_induction_find(ir_named(m, "on"), &v));
  assert_false(mt_const_number(ir_named(m, "i"), &n));
  LLVMDisposeModule(m);
}

/* Is %s a sum that LLVM may reorder, with this line for its next value? */
static bool is_free(const char *next) {
  char text[700];
  snprintf(text, sizeof text,
           "declare float @llvm.fmuladd.f32(float, float, float)\n"
           "define void @f(float %%x, i1 %%c) {\nentry: br label %%loop\n"
           "loop: %%s = phi float [0.0, %%entry], [%%next, %%loop]\n"
           "%%next = %s\nbr i1 %%c, label %%loop, label %%out\n"
           "out: ret void\n}\n", next);
  LLVMModuleRef m = ir_parse(context, text);
  LLVMValueRef f = LLVMGetNextFunction(LLVMGetFirstFunction(m));
  LLVMBasicBlockRef loop =
      LLVMGetNextBasicBlock(LLVMGetFirstBasicBlock(f));
  bool is = mt_is_free_sum(LLVMGetFirstInstruction(loop));
  assert_false(mt_is_free_sum(
      LLVMGetNextInstruction(LLVMGetFirstInstruction(loop))));
  LLVMDisposeModule(m);
  return is;
}

static void test_free_sum(void **state) {
  (void)state;
  assert_true(is_free("fadd reassoc float %s, %x"));
  assert_true(is_free("fadd fast float %x, %s"));
  assert_true(is_free("call reassoc float @llvm.fmuladd.f32("
                      "float %x, float %x, float %s)"));
  assert_false(is_free("fadd float %s, %x"));
  assert_false(is_free("fadd nsz float %s, %x"));
  assert_false(is_free("fadd reassoc float %x, %x"));
  assert_false(is_free("fmul reassoc float %s, %x"));
}

int main(void) {
  context = LLVMContextCreate();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_trip_counts), cmocka_unit_test(test_most),
      cmocka_unit_test(test_not_known),   cmocka_unit_test(test_widths),
      cmocka_unit_test(test_inner),       cmocka_unit_test(test_pointer),
      cmocka_unit_test(test_free_sum),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  LLVMContextDispose(context);
  return failed;
}
