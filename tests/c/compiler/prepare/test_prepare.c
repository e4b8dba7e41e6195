/*
** test_prepare.c - bitcode to one flat function, and bitcode that has none:
** without the kernel, with its declaration only, damaged; of a small library
** and of one that is read lazily. Which calls stay calls. What a launch says
** about its textures.
**
** Guards: devices/compiler/prepare/{prepare, read_module}.c: what is no kernel,
** damaged bitcode, large libraries; devices/compiler/prepare/passes.c: calls
** that stay, by what the caller wants and by size, and are inlined where they
** cannot, instrumented libraries; devices/compiler/prepare/texture_formats.c:
** formats that a launch knows
*/
#include <stdlib.h>

#include <llvm-c/BitWriter.h>

#include "base/str.h"
#include "devices/compiler/prepare/steps.h"
#include "tests/c/ir_case.h"

static mt_Target *target;
static mt_Error error;

static int open_target(void **state) {
  (void)state;
  target = mt_target_named("x86_64-linux-gnu,x86-64-v3", &error);
  return target ? 0 : -1;
}

/* The bitcode of a text; the caller's. */
static LLVMMemoryBufferRef bitcode_of(const char *text) {
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef m = ir_parse(context, text);
  LLVMMemoryBufferRef b = LLVMWriteBitcodeToMemoryBuffer(m);
  LLVMDisposeModule(m);
  LLVMContextDispose(context);
  return b;
}

static const mt_Instrumentation *instrument;

static mt_Status prepare(LLVMMemoryBufferRef b, size_t size, const char *name,
                         mt_CallsKept calls, mt_Prepared *out) {
  static mt_Param out_buffer = {.name = "out", .kind = MT_PARAM_BUFFER,
                                .used = true, .array_count = 1,
                                .access = MT_READ_WRITE};
  mt_MslKernel kernel = {.name = "the kernel", .function = name,
                         .params = &out_buffer, .param_count = 1};
  out_buffer.type = mt_type_named("uint");
  mt_PrepareInput in = {.target = target, .kernel = &kernel, .calls = calls,
                        .bitcode = LLVMGetBufferStart(b), .size = size,
                        .instrument = instrument};
  error = (mt_Error){""};
  return mt_prepare(&in, out, &error);
}

static unsigned defined(LLVMModuleRef m) {
  unsigned n = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
    n += !LLVMIsDeclaration(f);
  return n;
}

/* ----------------------------------------------------------------- reading */

/* A library with 'others' further functions, each of some instructions. */
static char *library(unsigned others) {
  mt_Str s = MT_STR_INIT;
  mt_str_add(&s,
             "declare void @declared(ptr)\n"
             "define void @k(ptr %out) {\n  store i32 7, ptr %out\n"
             "  call void @f0(ptr %out)\n  ret void\n}\n"
             "define void @f0(ptr %out) {\n  store i32 9, ptr %out\n"
             "  ret void\n}\n");
  for (unsigned n = 1; n <= others; n++)
    mt_str_addf(&s,
                "define void @f%u(ptr %%out) {\n  %%a = load i32, ptr %%out\n"
                "  %%b = mul i32 %%a, %u\n  store i32 %%b, ptr %%out\n"
                "  call void @declared(ptr %%out)\n  ret void\n}\n",
                n, 100000 + n);
  char *text = strdup(mt_str_text(&s));
  mt_str_free(&s);
  return text;
}

static void expect_none(LLVMMemoryBufferRef b, size_t size, const char *name,
                        const char *words) {
  mt_Prepared p;
  assert_int_equal(prepare(b, size, name, 0, &p), MT_FAIL);
  if (!strstr(error.text, words)) fail_msg("%s", error.text);
  assert_null(p.module);
  assert_null(p.context);
}

static void test_reading(void **state) {
  (void)state;
  size_t before = 0;
  for (unsigned others = 0; others <= 6000; others += 6000) {
    char *text = library(others);
    LLVMMemoryBufferRef b = bitcode_of(text);
    size_t size = LLVMGetBufferSize(b);
    mt_Prepared p;
    assert_true(others ? size > 128 << 10 : size < 128 << 10);
    assert_true(size > before);
    before = size;
    if (prepare(b, size, "k", 0, &p) != MT_OK) fail_msg("%s", error.text);
    assert_ptr_equal(p.function, LLVMGetNamedFunction(p.module, "k"));
    assert_int_equal(defined(p.module), 1);
    assert_false(p.has_calls);
    mt_prepared_free(&p);
    expect_none(b, size, "absent", "'the kernel' is not in its bitcode");
    expect_none(b, size, "declared", "'the kernel' is not in its bitcode");
    for (size_t part = 0; part < 4; part++)
      expect_none(b, size * part / 4 / 4 * 4, "k", "cannot be read: ");
    LLVMDisposeMemoryBuffer(b);
    free(text);
  }
}

/* ------------------------------------------------------------------- calls */

static unsigned libraries;

static void note_library(LLVMModuleRef m) {
  libraries += LLVMGetNamedFunction(m, "f") != NULL;
}

/* A kernel that calls a function of so many instructions twice. */
static char *caller(unsigned instructions) {
  mt_Str s = MT_STR_INIT;
  mt_str_add(&s, "define void @k(ptr %out) {\n  call void @f(ptr %out)\n"
                 "  call void @f(ptr %out)\n  ret void\n}\n"
                 "define internal void @f(ptr %out) {\n");
  for (unsigned n = 0; n < instructions; n++)
    mt_str_add(&s, "  store volatile i32 1, ptr %out\n");
  mt_str_add(&s, "  ret void\n}\n");
  char *text = strdup(mt_str_text(&s));
  mt_str_free(&s);
  return text;
}

/* Are there calls of functions in what was prepared? */
static bool keeps(unsigned instructions, mt_CallsKept calls) {
  char *text = caller(instructions);
  LLVMMemoryBufferRef b = bitcode_of(text);
  mt_Prepared p;
  if (prepare(b, LLVMGetBufferSize(b), "k", calls, &p) != MT_OK)
    fail_msg("%s", error.text);
  bool kept = p.has_calls;
  assert_int_equal(defined(p.module), kept ? 2 : 1);
  assert_false(p.enormous);
  mt_prepared_free(&p);
  LLVMDisposeMemoryBuffer(b);
  free(text);
  return kept;
}

static void test_calls(void **state) {
  (void)state;
  assert_false(keeps(10, MT_CALLS_NEVER));
  assert_false(keeps(10, MT_CALLS_INLINED));
  assert_false(keeps(10, MT_CALLS_IF_LARGE));
  assert_true(keeps(10, MT_CALLS_IF_POSSIBLE));
  assert_true(keeps(MT_FLAT_LARGE / 2 + 9, MT_CALLS_IF_LARGE));
  assert_false(keeps(MT_FLAT_LARGE / 2 - 9, MT_CALLS_IF_LARGE));
  assert_false(keeps(MT_FLAT_LARGE / 2 + 9, MT_CALLS_INLINED));
}

/* A sum that LLVM may round in several ways would differ from the flat one. */
static void test_calls_that_cannot_stay(void **state) {
  (void)state;
  mt_Prepared p;
  LLVMMemoryBufferRef b = bitcode_of(
      "define void @k(ptr %out) {\n  call void @f(ptr %out)\n  ret void\n}\n"
      "define internal void @f(ptr %out) {\n  %x = load float, ptr %out\n"
      "  %y = fadd fast float %x, 1.0\n  store float %y, ptr %out\n"
      "  ret void\n}\n");
  if (prepare(b, LLVMGetBufferSize(b), "k", MT_CALLS_IF_POSSIBLE, &p) != MT_OK)
    fail_msg("%s", error.text);
  assert_false(p.has_calls);
  assert_int_equal(defined(p.module), 1);
  mt_prepared_free(&p);
  LLVMDisposeMemoryBuffer(b);
}

static mt_Status accept(void *context, mt_Target *t, LLVMModuleRef m,
                        LLVMValueRef f, const mt_MslKernel *k, mt_Error *err) {
  (void)context, (void)t, (void)m, (void)f, (void)k, (void)err;
  return MT_OK;
}

/* The instrumentation sees the library's functions while they are there. */
static void test_library(void **state) {
  (void)state;
  static const mt_Instrumentation noting = {.library = note_library,
                                            .accesses = accept};
  mt_Prepared p;
  char *text = caller(3);
  LLVMMemoryBufferRef b = bitcode_of(text);
  instrument = &noting;
  mt_Status status = prepare(b, LLVMGetBufferSize(b), "k", 0, &p);
  instrument = NULL;
  if (status != MT_OK) fail_msg("%s", error.text);
  assert_int_equal(libraries, 1);
  assert_int_equal(defined(p.module), 1);
  mt_prepared_free(&p);
  LLVMDisposeMemoryBuffer(b);
  free(text);
}

/* ---------------------------------------------------------------- textures */

/* An array's textures may differ, though there be only one. */
static void test_formats(void **state) {
  (void)state;
  mt_Texture t = {.desc = {.format = MT_RGBA8UINT}}, *all[] = {&t};
  mt_Arg args[] = {
      {.kind = MT_ARG_TEXTURE, .texture = &t},
      {.kind = MT_ARG_TEXTURE, .texture = &t, .textures = all,
       .texture_count = 1},
      {.kind = MT_ARG_TEXTURE},
      {.kind = MT_ARG_NONE, .texture = &t}};
  mt_Param params[4] = {{.name = "t"}};
  mt_Kernel kernel = {.info = {.params = params, .param_count = 4}};
  mt_Launch launch = {.kernel = &kernel, .args = args, .arg_count = 4};
  mt_ArgumentFacts facts;
  memset(&facts, 7, sizeof facts);
  mt_argument_facts(&launch, &facts);
  assert_false(facts.overlap);
  assert_int_equal(facts.of[0], MT_RGBA8UINT + 1);
  for (int i = 1; i < 4; i++) assert_int_equal(facts.of[i], 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_reading),
      cmocka_unit_test(test_calls),
      cmocka_unit_test(test_calls_that_cannot_stay),
      cmocka_unit_test(test_library),
      cmocka_unit_test(test_formats),
  };
  return cmocka_run_group_tests(tests, open_target, NULL);
}
