/*
** test_uses.c - compiler/ir/uses.c over kernels of a few lines: what is read
** and written through each parameter, and through the pointers in its memory.
**
** Guards: devices/compiler/ir/uses.c: every instruction that a pointer may
** meet, links and their limits, calls, numbers made of pointers; what is not
** known; no memory
*/
#define _GNU_SOURCE /* allocations.h */
#include "devices/compiler/ir/uses.h"

#include <stdlib.h>

#include "base/str.h"
#include "tests/c/allocations.h"
#include "tests/c/ir_case.h"

static LLVMContextRef context;

/* Two buffers, a constant one, a texture, a number. */
#define HEAD "define void @k(ptr %a, ptr %b, ptr %c, ptr %t, i64 %i, i1 %w) {\n"
static mt_Param params[6] = {
    {.name = "a", .kind = MT_PARAM_BUFFER, .access = MT_READ_WRITE},
    {.name = "b", .kind = MT_PARAM_BUFFER, .access = MT_READ_WRITE},
    {.name = "c", .kind = MT_PARAM_BUFFER, .access = MT_READ},
    {.name = "t", .kind = MT_PARAM_TEXTURE, .access = MT_READ_WRITE},
    {.name = "i", .kind = MT_PARAM_BUILTIN},
    {.name = "w", .kind = MT_PARAM_BUILTIN}};
static const mt_MslKernel kernel = {
    .name = "k", .params = params, .param_count = 6};

static const char *const words[] = {"", "r", "w", "rw"};

/* "a:rw/w a+8:r": 'a' is read and written, a pointer in it written through; the
** pointer at byte 8 of it is read through. */
static void describe(const mt_Uses *u, mt_Str *out) {
  if (!u->known) mt_str_add(out, "not known ");
  for (unsigned i = 0; u->known && i < 4; i++)
    if (u->of[i] || u->inside[i])
      mt_str_addf(out, "%s:%s%s%s ", params[i].name, words[u->of[i]],
                  u->inside[i] ? "/" : "", words[u->inside[i]]);
  for (unsigned i = 0; u->known && i < u->link_count; i++)
    mt_str_addf(out, "%s+%u:%s ", params[u->link[i].param].name,
                u->link[i].offset, words[u->link[i].access]);
}

static void check(const char *text, const char *expected) {
  mt_Str said = MT_STR_INIT;
  mt_Uses u;
  LLVMModuleRef m = ir_parse(context, text);
  mt_uses_find(&kernel, LLVMGetNamedFunction(m, "k"), &u);
  describe(&u, &said);
  if (said.length) said.text[said.length - 1] = '\0'; /* the last blank */
  if (strcmp(mt_str_text(&said), expected))
    fail_msg("\"%s\" instead of \"%s\" of\n%s", mt_str_text(&said), expected,
             text);
  mt_str_free(&said);
  LLVMDisposeModule(m);
}

/* What kernels call: functions with a body, and others. */
static const char called[] =
    "define internal void @f(ptr %x, ptr %y) {\n"
    "store i8 0, ptr %x\n%z = load i8, ptr %y\nret void\n}\n"
    "define internal void @first(ptr %x, ...) {\n"
    "%z = load i8, ptr %x\nret void\n}\n"
    "define internal ptr @back(ptr %x) {\nret ptr %x\n}\n"
    "declare void @outside(ptr)\n"
    "declare void @llvm.assume(i1)\n"
    "declare void @llvm.prefetch.p0(ptr, i32, i32, i32)\n"
    "declare ptr @llvm.invariant.start.p0(i64, ptr)\n"
    "declare void @__mt_matrix_load_f32(ptr)\n"
    "declare void @__mt_matrix_store_f32(ptr)\n"
    "declare void @__mt_matrix_other(ptr)\n"
    "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n"
    "declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)\n";

typedef struct Row {
  const char *lines, *expected;
} Row;

static void check_rows(const Row *rows, size_t n) {
  for (size_t i = 0; i < n; i++) {
    mt_Str text = MT_STR_INIT;
    mt_str_addf(&text, "%s%s%s\nret void\n}\n", called, HEAD, rows[i].lines);
    check(mt_str_text(&text), rows[i].expected);
    mt_str_free(&text);
  }
}
#define CHECK(rows) check_rows(rows, sizeof rows / sizeof *rows)

/* ------------------------------------------------------------- instructions */

static void test_accesses(void **state) {
  (void)state;
  static const Row rows[] = {
      {"", ""},
      {"%x = load i32, ptr %a", "a:r"},
      {"store i32 0, ptr %b", "b:w"},
      {"%x = load i32, ptr %a\nstore i32 %x, ptr %a", "a:rw"},
      {"store ptr %a, ptr %b", "a:rw/rw b:w"},
      {"store ptr %c, ptr %b", "b:w c:r/rw"},
      {"store ptr %a, ptr %a", "a:rw/rw"},
      {"%x = atomicrmw add ptr %a, i32 1 seq_cst", "a:rw"},
      {"%x = atomicrmw xchg ptr %a, ptr %c seq_cst", "a:rw c:r/rw"},
      {"%x = cmpxchg ptr %a, i32 1, i32 2 seq_cst seq_cst", "a:rw"},
      {"%x = cmpxchg ptr %a, ptr %c, ptr null seq_cst seq_cst", "a:rw c:r/rw"},
      {"%x = cmpxchg ptr %a, ptr null, ptr %c seq_cst seq_cst", "a:rw c:r/rw"},
      {"%x = icmp eq ptr %a, %b", ""},
      {"fence seq_cst\n%x = va_arg ptr %c, i32", "c:r/rw"},
  };
  CHECK(rows);
}

static void test_followed(void **state) {
  (void)state;
  static const Row rows[] = {
      {"%p = getelementptr i32, ptr %a, i64 %i\nstore i32 0, ptr %p", "a:w"},
      {"%p = bitcast ptr %a to ptr\nstore i32 0, ptr %p", "a:w"},
      {("%p = addrspacecast ptr %a to ptr addrspace(1)\n"
        "store i32 0, ptr addrspace(1) %p"), "a:w"},
      {"%p = freeze ptr %a\nstore i32 0, ptr %p", "a:w"},
      {"%p = select i1 %w, ptr %a, ptr %b\nstore i32 0, ptr %p", "a:w b:w"},
      {("br i1 %w, label %x, label %y\nx: br label %y\n"
        "y: %p = phi ptr [%a, %x], [%b, %0]\n%z = load i8, ptr %p"), "a:r b:r"},
      {("br label %x\nx: %p = phi ptr [%a, %0], [%q, %x]\n"
        "%q = select i1 %w, ptr %p, ptr %b\n%z = load i8, ptr %q\n"
        "br i1 %w, label %x, label %y\ny:"), "a:r b:r"},
      {("%v = insertelement <2 x ptr> undef, ptr %a, i32 1\n"
        "%s = shufflevector <2 x ptr> %v, <2 x ptr> undef, <2 x i32> "
        "<i32 1, i32 0>\n%p = extractelement <2 x ptr> %s, i32 0\n"
        "store i32 0, ptr %p"), "a:w"},
      {("%v = insertvalue {i32, ptr} undef, ptr %a, 1\n"
        "%p = extractvalue {i32, ptr} %v, 1\nstore i32 0, ptr %p"), "a:w"},
  };
  CHECK(rows);
}

/* ------------------------------------------------- pointers that are loaded */

#define AT(step) "%p = getelementptr i8, ptr %a, i64 " step "\n"
#define STORE "\n%q = load ptr, ptr %p\nstore i8 0, ptr %q"

static void test_links(void **state) {
  (void)state;
  static const Row rows[] = {
      {AT("0") STORE, "a:r a+0:w"},
      {AT("8") STORE, "a:r a+8:w"},
      {AT("%i") STORE, "a:r/w"},
      {AT("4294967295") STORE, "a:r a+4294967295:w"},
      {AT("4294967296") STORE, "a:r/w"},
      {("%o = getelementptr i8, ptr %a, i64 8\n"
        "%p = getelementptr {i32, i32}, ptr %o, i64 1, i32 1" STORE),
       "a:r a+20:w"},
      {("%o = getelementptr i8, ptr %a, i64 %i\n"
        "%p = getelementptr i8, ptr %o, i64 1" STORE), "a:r/w"},
      /* what keeps the place, and what does not */
      {"%o = bitcast ptr %a to ptr\n%p = freeze ptr %o" STORE, "a:r a+0:w"},
      {"%p = select i1 %w, ptr %a, ptr null" STORE, "a:r a+0:w"},
      {("%v = insertvalue {i32, ptr} undef, ptr %a, 1\n"
        "%p = extractvalue {i32, ptr} %v, 1" STORE), "a:r/w"},
      /* one more in a loop: the second time at any place */
      {("br label %x\nx: %p = phi ptr [%a, %0], [%n, %x]\n"
        "%n = getelementptr i8, ptr %p, i64 8\n%q = load ptr, ptr %p\n"
        "store i8 0, ptr %q\nbr i1 %w, label %x, label %y\ny:"),
       "a:r/w a+0:w"},
      {("br label %x\nx: %p = phi ptr [%a, %0], [%p, %x]\n"
        "%q = load ptr, ptr %p\nstore i8 0, ptr %q\n"
        "br i1 %w, label %x, label %y\ny:"), "a:r a+0:w"},
      /* several: by parameter and place */
      {("%q = load ptr, ptr %a\n%r = load ptr, ptr %b\n"
        "%x = load i8, ptr %q\nstore i8 0, ptr %r"), "a:r b:r a+0:r b+0:w"},
      {(AT("8") "%q = load ptr, ptr %p\n%r = load ptr, ptr %a\n"
        "%x = load i8, ptr %q\nstore i8 0, ptr %r"), "a:r a+0:w a+8:r"},
      {(AT("8") "%q = load ptr, ptr %p\n%r = load ptr, ptr %p\n"
        "%x = load i8, ptr %q\nstore i8 0, ptr %r"), "a:r a+8:rw"},
      {(AT("8") "%q = load ptr, ptr %a\n%r = load ptr, ptr %p\n"
        "%s = load ptr, ptr %p\n%x = load i8, ptr %q\n"
        "%y = load i8, ptr %r\nstore i8 0, ptr %s"), "a:r a+0:r a+8:rw"},
      {(AT("%i") "%q = load ptr, ptr %p\n%r = load ptr, ptr %p\n"
        "%x = load i8, ptr %q\nstore i8 0, ptr %r"), "a:r/rw"},
      /* what a link leads to holds pointers: they count for the link */
      {(AT("8") "%q = load ptr, ptr %p\n%o = getelementptr i8, ptr %q, i64 4\n"
        "%r = load ptr, ptr %o\nstore i8 0, ptr %r"), "a:r a+8:rw"},
      {AT("8") "%q = load ptr, ptr %p\nstore ptr %q, ptr %b",
       "a:rw/rw b:w"},
  };
  CHECK(rows);
}

static void test_structs_with_pointers(void **state) {
  (void)state;
  static const Row rows[] = {
      {"%x = load {i32, i32}, ptr %c", "c:r"},
      {"%x = load [2 x i32], ptr %c", "c:r"},
      {"%x = load <2 x i32>, ptr %c", "c:r"},
      {"%x = load {ptr, i32}, ptr %c", "c:r/rw"},
      {"%x = load {i32, ptr}, ptr %c", "c:r/rw"},
      {"%x = load {i32, {i32, ptr}}, ptr %c", "c:r/rw"},
      {"%x = load [2 x ptr], ptr %c", "c:r/rw"},
      {"%x = load <2 x ptr>, ptr %c", "c:r/rw"},
  };
  CHECK(rows);
}

/* A texture's memory is a view; what is reached through its pointers is it. */
static void test_textures(void **state) {
  (void)state;
  static const Row rows[] = {
      {"%x = load i32, ptr %t", ""},
      {"store i32 0, ptr %t", ""},
      {"%q = load ptr, ptr %t\n%x = load i8, ptr %q", "t:r"},
      {"%q = load ptr, ptr %t\nstore i8 0, ptr %q", "t:w"},
      {("%o = getelementptr i8, ptr %t, i64 8\n%q = load ptr, ptr %o\n"
        "%r = load ptr, ptr %t\n%x = load i8, ptr %q\nstore i8 0, ptr %r"),
       "t:rw"},
      {"store ptr %t, ptr %a", "a:w t:rw/rw"},
  };
  CHECK(rows);
}

/* ------------------------------------------------------------------ limits */

static mt_Uses uses_of(const mt_MslKernel *k, mt_Str *text) {
  mt_Uses u;
  LLVMModuleRef m = ir_parse(context, mt_str_text(text));
  mt_uses_find(k, ir_function(m), &u);
  LLVMDisposeModule(m);
  mt_str_free(text);
  return u;
}

/* A kernel that writes through so many pointers in the memory of %a. */
static mt_Uses with_links(unsigned n) {
  mt_Str text = MT_STR_INIT;
  mt_str_add(&text, "define void @k(ptr %a) {\n");
  for (unsigned i = 0; i < n; i++)
    mt_str_addf(&text, "%%p%u = getelementptr i8, ptr %%a, i64 %u\n"
                "%%q%u = load ptr, ptr %%p%u\nstore i8 0, ptr %%q%u\n",
                i, 8 * i, i, i, i);
  mt_str_add(&text, "ret void\n}\n");
  return uses_of(&kernel, &text);
}

static void test_most_links(void **state) {
  (void)state;
  mt_Uses u = with_links(MT_USES_LINKS);
  assert_true(u.known);
  assert_int_equal(u.link_count, MT_USES_LINKS);
  assert_int_equal(u.inside[0], 0);
  u = with_links(MT_USES_LINKS + 1);
  assert_true(u.known);
  assert_int_equal(u.link_count, MT_USES_LINKS);
  assert_int_equal(u.inside[0], MT_WRITE);
  unsigned roots = 2 * MT_USES_PARAMS + MT_USES_LINKS;
  assert_true(with_links(roots - 1).known);
  assert_false(with_links(roots).known);
}

/* Later parameters count by their declaration. */
static void test_most_parameters(void **state) {
  (void)state;
  enum { MANY = MT_USES_PARAMS + 1 };
  static mt_Param many[MANY];
  const mt_MslKernel k = {.name = "k", .params = many, .param_count = MANY};
  mt_Str text = MT_STR_INIT;
  mt_str_add(&text, "define void @k(ptr %p0");
  for (int i = 1; i < MANY; i++) mt_str_addf(&text, ", ptr %%p%d", i);
  mt_str_add(&text, ") {\n");
  for (int i = 0; i < MANY; i++)
    mt_str_addf(&text, "store i8 0, ptr %%p%d\n", i);
  mt_str_add(&text, "ret void\n}\n");
  mt_Uses u = uses_of(&k, &text);
  assert_true(u.known);
  for (int i = 0; i < MT_USES_PARAMS; i++) {
    assert_int_equal(u.of[i], MT_WRITE);
    assert_int_equal(u.inside[i], 0);
  }
}

/* The function may have fewer parameters than the source, or others after
** them. */
static void test_other_parameters(void **state) {
  (void)state;
  mt_Str text = MT_STR_INIT;
  mt_str_add(&text, "define void @k(ptr %a) {\n"
             "store i8 0, ptr %a\nret void\n}");
  mt_Uses u = uses_of(&kernel, &text);
  assert_true(u.known && u.of[0] == MT_WRITE && u.of[1] == 0);
  const mt_MslKernel one = {.name = "k", .params = params, .param_count = 1};
  mt_str_add(&text, "define void @k(ptr %a, ptr %x) {\n"
             "store i8 0, ptr %x\nret void\n}");
  u = uses_of(&one, &text);
  assert_true(u.known && u.of[0] == 0 && u.of[1] == 0);
}

/* So many pointers are not looked at. */
static mt_Uses with_pointers(unsigned n) {
  mt_Uses u;
  LLVMModuleRef m = ir_parse(context, "define void @k(ptr %a) {\nret void\n}");
  LLVMValueRef f = ir_function(m), p = LLVMGetParam(f, 0);
  LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
  LLVMTypeRef i8 = LLVMInt8TypeInContext(context);
  LLVMPositionBuilderBefore(
      b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)));
  for (unsigned i = 1; i < n; i++) p = LLVMBuildFreeze(b, p, "");
  LLVMBuildStore(b, LLVMConstInt(i8, 0, 0), p);
  mt_uses_find(&kernel, f, &u);
  LLVMDisposeBuilder(b);
  LLVMDisposeModule(m);
  return u;
}

static void test_most_pointers(void **state) {
  (void)state;
  mt_Uses u = with_pointers(1u << 18);
  assert_true(u.known && u.of[0] == MT_WRITE);
  assert_false(with_pointers((1u << 18) + 1).known);
}

/* One pointer of many roots, in a loop: each is followed. */
static void test_many_roots(void **state) {
  (void)state;
  enum { LINKS = 30 };
  mt_Str text = MT_STR_INIT;
  mt_str_add(&text, "define void @k(ptr %a, i32 %i) {\n");
  for (int i = 0; i < LINKS; i++)
    mt_str_addf(&text, "%%p%d = getelementptr i8, ptr %%a, i64 %d\n"
                "%%q%d = load ptr, ptr %%p%d\n", i, 8 * i, i, i);
  mt_str_add(&text, "%s0 = select i1 true, ptr %q0, ptr %q0\n");
  for (int i = 1; i < LINKS; i++)
    mt_str_addf(&text, "%%s%d = select i1 true, ptr %%q%d, ptr %%s%d\n", i, i,
                i - 1);
  mt_str_addf(&text, "store i8 0, ptr %%s%d\nret void\n}\n", LINKS - 1);
  mt_Uses u = uses_of(&kernel, &text);
  assert_true(u.known && u.of[0] == MT_READ && u.inside[0] == 0);
  assert_int_equal(u.link_count, LINKS);
  for (int i = 0; i < LINKS; i++)
    assert_int_equal(u.link[i].access, MT_WRITE);
}

/* ------------------------------------------------------------------- calls */

static void test_calls(void **state) {
  (void)state;
  static const Row rows[] = {
      {"call void @f(ptr %a, ptr %b)", "a:w b:r"},
      {"call void @f(ptr %b, ptr %a)", "a:r b:w"},
      {"call void @f(ptr %a, ptr %a)", "a:rw"},
      {"call void @f(ptr %c, ptr %a)", "a:r c:w"},
      {"call void (ptr, ...) @first(ptr %c)", "c:r"},
      {"call void (ptr, ...) @first(ptr %a, ptr %c)", "a:rw/rw c:r/rw"},
      {"call void @outside(ptr %c)", "c:r/rw"},
      {"call void %b(ptr %c)", "b:rw/rw c:r/rw"},
      {"%p = call ptr @back(ptr %a)\nstore i8 0, ptr %p", "a:w"},
      {"%p = call ptr @back(ptr %a)" STORE, "a:r/w"},
      {("%p = call ptr @back(ptr %a)\nstore i8 0, ptr %p\n"
        "store ptr @back, ptr %b"), "a:w b:w"},
  };
  CHECK(rows);
}

static void test_known_functions(void **state) {
  (void)state;
  static const Row rows[] = {
      {("call void @llvm.assume(i1 true) [\"align\"(ptr %a, i64 16)]\n"
        "call void @llvm.prefetch.p0(ptr %b, i32 0, i32 3, i32 1)\n"
        "%x = call ptr @llvm.invariant.start.p0(i64 4, ptr %c)"), ""},
      {("call void @__mt_matrix_load_f32(ptr %a)\n"
        "call void @__mt_matrix_store_f32(ptr %b)"), "a:r b:w"},
      {"call void @__mt_matrix_other(ptr %c)", "c:r/rw"},
      {"call void @llvm.memset.p0.i64(ptr %a, i8 0, i64 4, i1 false)", "a:w"},
  };
  CHECK(rows);
}

#define MOVE(to, from) \
  "call void @llvm.memmove.p0.p0.i64(ptr " to ", ptr " from ", i64 8, i1 false)"

static void test_copies(void **state) {
  (void)state;
  static const Row rows[] = {
      {MOVE("%a", "%b"), "a:w b:r/rw"}, {MOVE("%a", "%a"), "a:rw/rw"},
      {MOVE("%a", "%t"), "a:w t:rw/rw"}, {MOVE("%t", "%a"), "a:r/rw"},
      {MOVE("%b", "%c"), "b:w c:r/rw"},
  };
  CHECK(rows);
}

/* ----------------------------------------------------------------- numbers */

#define NUMBER "%n = ptrtoint ptr %c to i64\n%m = ptrtoint ptr %a to i64\n"

static void test_numbers(void **state) {
  (void)state;
  static const Row rows[] = {
      {NUMBER, ""},
      {NUMBER "%x = icmp ult i64 %n, 4", ""},
      {NUMBER "%x = sub i64 %n, %m", ""},
      {NUMBER "%x = sub i64 %n, %i", "c:r/rw"},
      {NUMBER "%x = sub i64 %i, %n", "c:r/rw"},
      {NUMBER "%x = add i64 %n, %m", "a:rw/rw c:r/rw"},
      {NUMBER "%x = and i64 %n, 4095", ""},
      {NUMBER "%x = and i64 %n, 4096", "c:r/rw"},
      {NUMBER "%x = and i64 %n, %i", "c:r/rw"},
      {NUMBER "%x = or i64 %n, 15", "c:r/rw"},
      {NUMBER "%x = trunc i64 %n to i32", "c:r/rw"},
      {NUMBER "%x = icmp ult i64 %n, 4\n%y = add i64 %n, 1", "c:r/rw"},
      {NUMBER "%y = add i64 %n, 1\n%x = icmp ult i64 %n, 4", "c:r/rw"},
      {"%p = inttoptr i64 %i to ptr", "not known"},
  };
  CHECK(rows);
  check(HEAD "ret void\n}\ndefine internal ptr @h(i64 %i) {\n"
        "%p = inttoptr i64 %i to ptr\nret ptr %p\n}\n", "not known");
}

static bool find_known(void *with) {
  mt_Uses u;
  mt_uses_find(&kernel, with, &u);
  return u.known;
}

/* More pointers than there is room for at first. */
static void test_memory(void **state) {
  (void)state;
  mt_Str text = MT_STR_INIT;
  mt_str_addf(&text, "%s", HEAD);
  for (int i = 0; i < 600; i++)
    mt_str_addf(&text, "%%p%d = freeze ptr %%a\n", i);
  mt_str_add(&text, "ret void\n}\n");
  LLVMModuleRef m = ir_parse(context, mt_str_text(&text));
  each_allocation_fails(find_known, ir_function(m));
  LLVMDisposeModule(m);
  mt_str_free(&text);
}

int main(void) {
  context = LLVMContextCreate();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_accesses),
      cmocka_unit_test(test_followed),
      cmocka_unit_test(test_links),
      cmocka_unit_test(test_structs_with_pointers),
      cmocka_unit_test(test_textures),
      cmocka_unit_test(test_most_links),
      cmocka_unit_test(test_most_parameters),
      cmocka_unit_test(test_other_parameters),
      cmocka_unit_test(test_most_pointers),
      cmocka_unit_test(test_many_roots),
      cmocka_unit_test(test_calls),
      cmocka_unit_test(test_known_functions),
      cmocka_unit_test(test_copies),
      cmocka_unit_test(test_numbers),
      cmocka_unit_test(test_memory),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  LLVMContextDispose(context);
  return failed;
}
