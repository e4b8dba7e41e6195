/*
** test_call.c - compiler/ir/call.c and metadata.c: calls by names, what is left
** with instructions for other passes.
**
** Guards: devices/compiler/ir/{call, crosslane, metadata}.c: calls by the
** beginnings of names, functions that are declared once; names of all builtins
** of the cross-lane table, and no others; hints of loops, marks, attributes
*/
#include "devices/compiler/ir/call.h"
#include "devices/compiler/ir/metadata.h"

#include "tests/c/ir_case.h"

static LLVMContextRef context;

static const char text[] =
    "declare void @some.one(i32)\n"
    "declare void @other(i32)\n"
    "define void @f(i1 %c, ptr %p) {\n"
    "entry: br label %loop\n"
    "loop: %x = add i32 1, 2\n"
    "call void @some.one(i32 %x)\ncall void @other(i32 %x)\n"
    "call void %p(i32 %x)\nbr i1 %c, label %loop, label %done\n"
    "done: ret void\n}\n";

/* The n-th instruction of the block after the entry. */
static LLVMValueRef in_loop(LLVMModuleRef m, int n) {
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(ir_function(m));
  LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetNextBasicBlock(entry));
  while (n--) i = LLVMGetNextInstruction(i);
  return i;
}

static void test_one_of(void **state) {
  (void)state;
  static const char *const some[] = {"other.", "some.", NULL};
  static const char *const both[] = {"some.one", "other", NULL};
  static const char *const none[] = {NULL};
  LLVMModuleRef m = ir_parse(context, text);
  LLVMValueRef one = in_loop(m, 1), other = in_loop(m, 2);
  assert_true(mt_calls_one_of(one, some));
  assert_false(mt_calls_one_of(other, some));
  assert_true(mt_calls_one_of(one, both));
  assert_true(mt_calls_one_of(other, both));
  assert_false(mt_calls_one_of(one, none));
  assert_false(mt_calls_one_of(in_loop(m, 3), both)); /* by address */
  assert_false(mt_calls_one_of(in_loop(m, 0), both)); /* no call */
  LLVMDisposeModule(m);
}

static void test_build(void **state) {
  (void)state;
  LLVMModuleRef m = ir_parse(context, text);
  LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
  LLVMValueRef x = in_loop(m, 0);
  LLVMValueRef args[2] = {x, LLVMGetParam(ir_function(m), 1)};
  LLVMTypeRef none = LLVMVoidTypeInContext(context), i32 = LLVMTypeOf(x);
  LLVMPositionBuilderBefore(b, in_loop(m, 4));
  LLVMValueRef known = mt_build_call(m, b, "other", none, args, 1);
  assert_ptr_equal(LLVMGetCalledValue(known), LLVMGetNamedFunction(m, "other"));
  LLVMValueRef made = mt_build_call(m, b, "made", i32, args, 2);
  assert_string_equal(mt_callee(made), "made");
  assert_int_equal(LLVMGetNumArgOperands(made), 2);
  assert_ptr_equal(LLVMGetOperand(made, 0), args[0]);
  assert_ptr_equal(LLVMGetOperand(made, 1), args[1]);
  LLVMTypeRef types[2], type = LLVMGetCalledFunctionType(made);
  assert_ptr_equal(LLVMGetReturnType(type), i32);
  assert_int_equal(LLVMCountParamTypes(type), 2);
  assert_false(LLVMIsFunctionVarArg(type));
  LLVMGetParamTypes(type, types);
  assert_ptr_equal(types[1], LLVMTypeOf(args[1]));
  LLVMValueRef call = mt_build_call(m, b, "made", i32, args, 2);
  assert_ptr_equal(LLVMGetCalledValue(call), LLVMGetNamedFunction(m, "made"));
  LLVMDisposeBuilder(b);
  LLVMDisposeModule(m);
}

static void check_printed(LLVMModuleRef m, const char *wanted) {
  char *printed = LLVMPrintModuleToString(m);
  if (!strstr(printed, wanted)) fail_msg("no \"%s\" in\n%s", wanted, printed);
  LLVMDisposeMessage(printed);
}

static void test_loop_hints(void **state) {
  (void)state;
  LLVMModuleRef m = ir_parse(context, text);
  const LLVMMetadataRef hints[MT_LOOP_HINTS] = {
      mt_loop_hint(context, "llvm.loop.unroll.disable", 0, 0),
      mt_loop_hint(context, "llvm.loop.vectorize.enable", 1, 1),
      mt_loop_hint(context, "llvm.loop.vectorize.width", 8, 32),
      mt_loop_hint(context, "llvm.loop.interleave.count", 2, 32)};
  mt_set_loop_hints(context, in_loop(m, 4), hints, MT_LOOP_HINTS);
  check_printed(m, "br i1 %c, label %loop, label %done, !llvm.loop !0\n");
  check_printed(m, "!0 = distinct !{!0, !1, !2, !3, !4}\n"
                "!1 = !{!\"llvm.loop.unroll.disable\"}\n"
                "!2 = !{!\"llvm.loop.vectorize.enable\", i1 true}\n"
                "!3 = !{!\"llvm.loop.vectorize.width\", i32 8}\n"
                "!4 = !{!\"llvm.loop.interleave.count\", i32 2}\n");
  mt_set_loop_hints(context, in_loop(m, 4), hints + 2, 1);
  check_printed(m, "!0 = distinct !{!0, !1}\n"
                "!1 = !{!\"llvm.loop.vectorize.width\", i32 8}\n");
  LLVMDisposeModule(m);
}

static void test_marks(void **state) {
  (void)state;
  LLVMModuleRef m = ir_parse(context, text);
  LLVMValueRef x = in_loop(m, 0), call = in_loop(m, 1);
  assert_int_equal(mt_marked(x, "one"), 0);
  mt_mark(x, "one", 7);
  mt_mark(x, "two", -3);
  assert_int_equal(mt_marked(x, "one"), 7);
  assert_int_equal(mt_marked(x, "two"), -3);
  assert_int_equal(mt_marked(call, "one"), 0);
  mt_mark(x, "one", 8);
  assert_int_equal(mt_marked(x, "one"), 8);
  LLVMDisposeModule(m);
}

static void test_attribute(void **state) {
  (void)state;
  LLVMModuleRef m = ir_parse(context, text);
  LLVMValueRef f = ir_function(m);
  mt_add_attribute(f, "noinline", 0);
  mt_add_attribute(f, "alignstack", 16);
  check_printed(m, "attributes #0 = { noinline alignstack=16 }");
  LLVMDisposeModule(m);
}

/* ------------------------------------------------------------- cross-lane */

static const char *const scopes[] = {"simd_", "quad_", "matrix_", "barrier_"};
static const char *const types[] = {"",     "_f32", "_s32", "_u32",
                                    "_s64", "_u64", "_f16", "_bf16"};

/* The builtin of a row in this scope and of this type, if the table has it. */
static void check_builtin(mt_CrosslaneOp op, unsigned scope, unsigned type) {
  const mt_CrosslaneRow *row = mt_crosslane_row(op);
  bool has = (row->scopes & 1u << scope) && (row->types & 1u << type);
  char name[100];
  mt_Crosslane x;
  snprintf(name, sizeof name, "__mt_%s%s%s", scopes[scope], row->name,
           types[type]);
  if (mt_crosslane_find(name, &x) != has) fail_msg("%s: %d", name, !has);
  assert_int_equal(x.op, has ? op : MT_CROSSLANE_NONE);
  if (!has) return;
  assert_int_equal(x.scope, scope);
  assert_int_equal(x.type, type);
  assert_ptr_equal(x.row, row);
  strcat(name, "x");
  assert_false(mt_crosslane_find(name, &x));
  assert_false(mt_crosslane_find(name + 1, &x));
}

static void test_crosslane(void **state) {
  (void)state;
  for (int op = 1; op < MT_CROSSLANE_COUNT; op++)
    for (unsigned scope = 0; scope < 4; scope++)
      for (unsigned type = 0; type < 8; type++)
        check_builtin((mt_CrosslaneOp)op, scope, type);
}

int main(void) {
  context = LLVMContextCreate();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_one_of),     cmocka_unit_test(test_build),
      cmocka_unit_test(test_loop_hints), cmocka_unit_test(test_marks),
      cmocka_unit_test(test_attribute),  cmocka_unit_test(test_crosslane),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  LLVMContextDispose(context);
  return failed;
}
