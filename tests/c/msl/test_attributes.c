/*
** test_attributes.c - msl/: an attribute does what it says or is told of; none
** is dropped in silence, wherever it stands.
**
** The one idea: every attribute is put in every place in every form, and a
** message must name it, unless it means something there.
**
** Guards: msl/: every attribute in every place and form does what it says or is
** told of; none is dropped in silence; msl/reader/attributes.c
*/
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "msl/clang/clang.h"

#define HEAD "#include <metal_stdlib>\nusing namespace metal;\n"
#define BODY                                      \
  "kernel void k(device float *o [[buffer(0)]], " \
  "uint i [[thread_position_in_grid]]) {\n  %s\n}\n"

typedef struct Said {
  bool ok, named, warned;
  char log[4096];
} Said;

/* Compile; does a message have 'word' in it? */
static Said compile(const char *source, const char *word) {
  Said said = {false, false, false, ""};
  mt_MslModule *m = NULL;
  mt_Error err = {""};
  said.ok = mt_msl_compile(source, strlen(source), NULL, &m, &err) == MT_OK;
  mt_clang_stay();
  const mt_Diagnostic *all = NULL;
  size_t n = m ? mt_msl_diagnostics(m, &all) : 0;
  for (size_t i = 0; i < n; i++) {
    said.named = said.named || strstr(all[i].message, word) != NULL;
    said.warned = said.warned || (all[i].severity == MT_WARNING &&
                                  strstr(all[i].message, word));
  }
  snprintf(said.log, sizeof said.log, "%s%s", err.text, m ? mt_msl_log(m) : "");
  mt_msl_free(m);
  return said;
}

typedef struct Attribute {
  const char *text; /* as in [[text]] */
  const char *word; /* that a message has */
  bool known;       /* MSL's own */
} Attribute;

static const Attribute attributes[] = {
    {"banana", "banana", false}, {"banana(3, x)", "banana", false},
    {"gnu::banana", "banana", false}, {"fruit::banana", "banana", false},
    {"clang::banana", "banana", false}, {"unroll", "unroll", false},
    {"buffer(0)", "buffer", true},
    {"thread_position_in_grid", "thread_position_in_grid", true},
    {"threadgroup(0)", "threadgroup", true}, {"texture(1)", "texture", true},
};

typedef struct Where {
  const char *program, *body; /* '@' is the place */
  /* MSL's own may say something here that no one can check */
  bool silent;
  bool alone;                 /* [[maybe_unused]] may not stand here */
} Where;

static const Where places[] = {
    {"", "float v @ = 1; o[i] = v;", false, false},
    {"", "@ float v = 1; o[i] = v;", false, false},
    {"", "float v @ [2]; v[0] = 1; o[i] = v[0];", false, false},
    {"", "threadgroup float v @ [2]; v[0] = 1; o[i] = v[0];", false, false},
    {"", "threadgroup @ float v[2]; v[0] = 1; o[i] = v[0];", false, false},
    {"", "@ for (int j = 0; j < 2; j++) o[j] = j;", false, true},
    {"", "for (int j @ = 0; j < 2; j++) o[j] = j;", false, false},
    {"", "auto f = [](float x @) { return x; }; o[i] = f(1);", false, false},
    {"float h(float x @) { return x; }\n", "o[i] = h(1);", false, false},
    {"float h(float y, device float *x @) { return *x; }\n", "o[i] = h(1, o);",
     false, false},
    /* may become a kernel */
    {"template <typename T> T h(T x @) { return x; }\n", "o[i] = h(1);", true,
     false},
    {"struct S { float f(float x @) { return x; } };\n", "S s; o[i] = s.f(1);",
     false, false},
    /* a function of another kind */
    {"@ float h(float x) { return x; }\n", "o[i] = h(1);", true, false},
    {"struct S { float x @; };\n", "S s = {1}; o[i] = s.x;", true, false},
    {"struct @ S { float x; };\n", "S s = {1}; o[i] = s.x;", true, false},
    {"constant float c @ = 1;\n", "o[i] = c;", true, false},
    {"kernel void q(device float *a @) { a[0] = 1; }\n", "", true, false},
};

static char *put(const char *text, const char *attribute) {
  mt_Str out = MT_STR_INIT;
  for (const char *s = text; *s; s++)
    if (*s == '@') mt_str_add(&out, attribute);
    else mt_str_add_char(&out, *s);
  char *made = strdup(mt_str_text(&out));
  mt_str_free(&out);
  return made;
}

static void try_one(const Attribute *a, const char *form, const Where *w) {
  char attribute[128], source[2048];
  snprintf(attribute, sizeof attribute, form, a->text);
  char *program = put(w->program, attribute), *body = put(w->body, attribute);
  int n = snprintf(source, sizeof source, HEAD "%s", program);
  snprintf(source + n, sizeof source - (size_t)n, BODY, body);
  Said said = compile(source, a->word);
  if (!said.named && !(a->known && w->silent))
    fail_msg("nothing is said of %s in\n%s%s", attribute, source, said.log);
  if (!a->known && !said.ok && strncmp(form, "[[", 2) == 0 &&
      strcmp(a->text, "unroll") != 0)
    fail_msg("an unknown attribute is no error\n%s%s", source, said.log);
  free(program);
  free(body);
}

static void test_none_is_dropped(void **state) {
  (void)state;
  static const char *const forms[] = {"[[%s]]", "[[maybe_unused, %s]]",
                                      "[[%s, maybe_unused]]",
                                      "[[maybe_unused]] [[%s]]"};
  unsigned turn = 0;
  for (size_t w = 0; w < sizeof places / sizeof places[0]; w++)
    /* a form each, in turn, to be quick */
    for (size_t a = 0; a < sizeof attributes / sizeof attributes[0]; a++)
      try_one(
          &attributes[a],
          forms[places[w].alone ? 0
                                : turn++ % (sizeof forms / sizeof forms[0])],
          &places[w]);
}

static void test_gnu_form(void **state) {
  (void)state;
  static const Attribute banana = {"banana", "banana", false};
  static const Where gnu[] = {{"", "float v @ = 1; o[i] = v;", false, false},
                              {"", "threadgroup @ float v[2]; v[0] = 1; "
                                   "o[i] = v[0];", false, false},
                              {"float h(float x @) { return x; }\n",
                               "o[i] = h(1);", false, false},
                              {"kernel void q(device float *a @) { a[0] = 1; "
                               "}\n", "", false, false}};
  for (size_t w = 0; w < sizeof gnu / sizeof gnu[0]; w++)
    try_one(&banana, "__attribute__((%s))", &gnu[w]);
}

/* On parameters: a warning, but for a number of a kernel, which means nothing
** without one. */
static void test_parameters(void **state) {
  (void)state;
  Said said =
      compile(HEAD "float h(float x [[banana]]) { return x; }\n"
                   "kernel void k(device float *o [[fig]]) { o[0] = h(1); }\n",
              "unknown attribute");
  assert_true(said.ok && said.warned);
  said = compile(HEAD "kernel void k(device float *o [[buffer(0), fig]], "
                      "uint i [[fig, thread_position_in_grid]]) { "
                      "o[i] = 1; }\n",
                 "'fig' ignored");
  assert_true(said.ok && said.warned);
  said = compile(HEAD "kernel void k(device float *o, "
                      "uint i [[thread_position_in_gird]]) { o[i] = 1; }\n",
                 "thread_position_in_gird");
  assert_true(!said.ok && said.named);
  said = compile(
      HEAD "kernel void k(device float *o, uint2 i [[]]) { o[0] = i.x; }\n",
      "without an attribute");
  assert_true(!said.ok && said.named);
  said = compile(HEAD "kernel void k(device float *o, long n) { o[0] = n; }\n",
                 "without an attribute");
  assert_true(!said.ok && strstr(said.log, "Say what it is: uint i"));
  said = compile(HEAD "kernel void k(device float *o [[]], "
                      "uint i [[maybe_unused]] [[thread_position_in_grid]]) "
                      "{ o[0] = 1; }\n",
                 "attribute");
  assert_true(said.ok && !said.named);
}

/* One with a meaning keeps it beside others. */
static void test_kept(void **state) {
  (void)state;
  static const char *const source =
      HEAD "kernel void k(device float *a [[maybe_unused, buffer(3)]], "
           "device float *b [[buffer(5), maybe_unused]],\n"
           "  uint i [[maybe_unused, thread_position_in_grid]]) { "
           "threadgroup [[gnu::aligned(64)]] float v[2]; v[i] = a[i]; "
           "b[i] = v[0]; }\n";
  mt_MslModule *m = NULL;
  mt_Error err = {""};
  const mt_MslKernel *k;
  assert_int_equal(mt_msl_compile(source, strlen(source), NULL, &m, &err),
                   MT_OK);
  assert_int_equal(mt_msl_kernels(m, &k), 1);
  assert_int_equal(k->params[0].index, 3);
  assert_int_equal(k->params[1].index, 5);
  assert_int_equal(k->threadgroup_static, 8);
  mt_Str text = MT_STR_INIT;
  assert_int_equal(mt_msl_listing(m, &text, &err), MT_OK);
  assert_non_null(
      strstr(mt_str_text(&text), "section \".msl.threadgroup\", align 64"));
  mt_str_free(&text);
  mt_msl_free(m);
}

/* What other threads store into is not called uninitialized. */
static void test_shared_is_no_warning(void **state) {
  (void)state;
  Said said =
      compile(HEAD "kernel void k(device float *o, "
                   "uint i [[thread_position_in_grid]]) { "
                   "threadgroup float *p = nullptr, a, (b);\n"
                   "  device float *threadgroup q; threadgroup float c; "
                   "if (i == 0) a = 1, b = 2, c = 3, q = o;\n"
                   "  threadgroup_barrier(mem_flags::mem_threadgroup); "
                   "q[i] = a + b + c + (p ? 1 : 0); }\n",
              "uninitialized");
  if (!said.ok || said.named) fail_msg("%s", said.log);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_none_is_dropped), cmocka_unit_test(test_gnu_form),
      cmocka_unit_test(test_parameters), cmocka_unit_test(test_kept),
      cmocka_unit_test(test_shared_is_no_warning)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
