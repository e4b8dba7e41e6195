/*
** test_pointer.c - compiler/ir/pointer.c: the objects of a pointer through
** phis and selects, and the bytes of constant steps.
**
** Guards: devices/compiler/ir/pointer.c: objects of pointers through phis,
** selects and loops, as many as are looked at; bytes of steps that are constant
*/
#include "devices/compiler/ir/pointer.h"

#include "base/str.h"
#include "tests/c/ir_case.h"

static LLVMContextRef context;

#define HEAD "target datalayout = \"e-i64:64\"\n" \
             "define void @f(ptr %a, ptr %b, i1 %w, i32 %i) {\n"

static LLVMModuleRef parse_lines(const char *lines) {
  char text[2000];
  snprintf(text, sizeof text, "%s%s\nret void\n}\n", HEAD, lines);
  return ir_parse(context, text);
}

/* ----------------------------------------------------------------- objects */

/* The name of the one object of %p; "": there are several, or none. */
static void check_single(const char *lines, const char *expected) {
  LLVMModuleRef m = parse_lines(lines);
  LLVMValueRef one = mt_single_object(ir_named(m, "p"));
  size_t n;
  const char *name = one ? LLVMGetValueName2(one, &n) : "";
  if (strcmp(name, expected))
    fail_msg("%s instead of %s of\n%s", name, expected, lines);
  LLVMDisposeModule(m);
}

static void test_single_object(void **state) {
  (void)state;
  static const char *const rows[][2] = {
      {"%p = getelementptr i8, ptr %a, i32 %i", "a"},
      {"%q = freeze ptr %a\n%p = bitcast ptr %q to ptr", "a"},
      {"%p = select i1 %w, ptr %a, ptr %b", ""},
      {"%p = select i1 %w, ptr %b, ptr %a", ""},
      {"%p = select i1 %w, ptr %a, ptr %a", "a"},
      {"%p = select i1 %w, ptr undef, ptr %a", "a"},
      {"%p = select i1 %w, ptr %b, ptr poison", "b"},
      {"%p = select i1 %w, ptr undef, ptr undef", ""},
      {("%q = select i1 %w, ptr %a, ptr %b\n"
        "%p = select i1 %w, ptr %q, ptr %q"), ""},
      {("br label %x\nx: %p = phi ptr [%a, %0], [%n, %x]\n"
        "%n = getelementptr i8, ptr %p, i32 1\n"
        "br i1 %w, label %x, label %y\ny:"), "a"},
      {("br label %x\nx: %p = phi ptr [%a, %0], [%n, %x]\n"
        "%n = select i1 %w, ptr %p, ptr %b\n"
        "br i1 %w, label %x, label %y\ny:"), ""},
      {"%l = load ptr, ptr %a\n%p = getelementptr i8, ptr %l, i32 1", "l"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    check_single(rows[i][0], rows[i][1]);
}

/* A chain of 'n' selects, each of the one before it, twice: each is followed
** once. */
static bool find_through(unsigned n, LLVMValueRef *object) {
  mt_Str text = MT_STR_INIT;
  mt_str_add(&text, HEAD "%s0 = select i1 %w, ptr %a, ptr %a\n");
  for (unsigned i = 1; i < n; i++)
    mt_str_addf(&text, "%%s%u = select i1 %%w, ptr %%s%u, ptr %%s%u\n", i,
                i - 1, i - 1);
  mt_str_addf(&text, "%%p = getelementptr i8, ptr %%s%u, i32 1\nret void\n}\n",
              n - 1);
  LLVMModuleRef m = ir_parse(context, mt_str_text(&text));
  *object = mt_single_object(ir_named(m, "p"));
  bool is_a = *object == LLVMGetParam(ir_function(m), 0);
  LLVMDisposeModule(m);
  mt_str_free(&text);
  return is_a;
}

static void test_most_choices(void **state) {
  (void)state;
  LLVMValueRef object;
  assert_true(find_through(128, &object));
  assert_false(find_through(129, &object));
  assert_null(object);
}

typedef struct Objects {
  unsigned seen, most;
} Objects;

static bool count_object(void *with, LLVMValueRef object) {
  Objects *o = with;
  (void)object;
  return ++o->seen < o->most;
}

/* The walk ends where it is told to. */
static void test_each_object(void **state) {
  (void)state;
  LLVMModuleRef m = parse_lines("%q = select i1 %w, ptr %a, ptr undef\n"
                                "%p = select i1 %w, ptr %q, ptr %b");
  Objects all = {0, 4}, some = {0, 2};
  assert_true(mt_each_object(ir_named(m, "p"), count_object, &all));
  assert_int_equal(all.seen, 3);
  assert_false(mt_each_object(ir_named(m, "p"), count_object, &some));
  assert_int_equal(some.seen, 2);
  LLVMDisposeModule(m);
}

/* ------------------------------------------------------------------- steps */

#define NOT_CONSTANT 12345

static void check_step(const char *gep, int64_t expected) {
  char line[200];
  uint64_t bytes;
  snprintf(line, sizeof line, "%%p = getelementptr %s", gep);
  LLVMModuleRef m = parse_lines(line);
  bool is = mt_constant_step(LLVMGetModuleDataLayout(m), ir_named(m, "p"),
                             &bytes);
  if (is != (expected != NOT_CONSTANT) || (is && (int64_t)bytes != expected))
    fail_msg("%s: %d, %lld bytes", gep, is, (long long)bytes);
  LLVMDisposeModule(m);
}

static void test_steps(void **state) {
  (void)state;
  static const struct {
    const char *gep;
    int64_t bytes;
  } rows[] = {
      {"i8, ptr %a, i64 0", 0},
      {"i32, ptr %a, i64 3", 12},
      {"i32, ptr %a, i32 -3", -12},
      {"i32, ptr %a, i32 %i", NOT_CONSTANT},
      {"{i32, i64}, ptr %a, i64 2", 32},
      {"{i32, i64}, ptr %a, i64 2, i32 1", 40},
      {"{i32, [4 x i16], float}, ptr %a, i64 0, i32 1, i64 3", 10},
      {"{i32, [4 x i16], float}, ptr %a, i64 0, i32 2", 12},
      {"{i32, {i32, i8, i8}}, ptr %a, i64 0, i32 1, i32 2", 9},
      {"[4 x {i32, i16}], ptr %a, i64 1, i64 2, i32 1", 52},
      {"[4 x [8 x i16]], ptr %a, i64 0, i64 1, i64 5", 26},
      {"[4 x [8 x i16]], ptr %a, i64 0, i64 1, i32 %i", NOT_CONSTANT},
      {"[4 x [8 x i16]], ptr %a, i64 0, i32 %i, i64 1", NOT_CONSTANT},
      {"<4 x i32>, ptr %a, i64 2", 32},
      {"<4 x i32>, ptr %a, i64 0, i64 2", NOT_CONSTANT},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    check_step(rows[i].gep, rows[i].bytes);
}

int main(void) {
  context = LLVMContextCreate();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_single_object),
      cmocka_unit_test(test_most_choices),
      cmocka_unit_test(test_each_object),
      cmocka_unit_test(test_steps),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  LLVMContextDispose(context);
  return failed;
}
