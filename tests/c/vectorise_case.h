/*
** vectorise_case.h - runs a kernel through the vectoriser, for the suites that
** test it.
**
** mt_test_run compiles MSL, makes the group function for the launch's geometry
** and calls it for every threadgroup of the grid on the calling thread.
*/
#ifndef MT_TESTS_C_VECTORISE_CASE_H
#define MT_TESTS_C_VECTORISE_CASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "devices/compiler/ir/threadgroup_variables.h"
#include "devices/compiler/prepare/prepare.h"
#include "devices/compiler/target/target.h"
#include "devices/host/native/native.h"
#include "devices/host/run/kept_tiles.h"
#include "devices/host/vectorise/vectorise.h"
#include "msl/clang/clang.h"
#include "msl/msl.h"

typedef struct Launch {
  const char *source;
  const char *kernel;   /* NULL: the first */
  uint64_t args[16];    /* one for each parameter, as mt_Group has them */
  size_t threadgroup[16]; /* bytes, for threadgroup parameters */
  uint32_t grid[3], group[3];
  bool noalias;           /* no two buffers overlap */
  bool print;           /* show the code */
} Launch;

typedef struct Built {
  mt_Code *code;
  size_t spill, threadgroup;
} Built;

static unsigned test_compiles; /* so far */

static mt_MslModule *test_compile(const char *source) {
  mt_MslModule *m = NULL;
  mt_Error err = {""};
  test_compiles++;
  if (mt_msl_compile(source, strlen(source), NULL, &m, &err) != MT_OK)
    fail_msg("%s\n%s\n%s", err.text, m ? mt_msl_log(m) : "", source);
  mt_clang_stay();
  return m;
}

static const mt_MslKernel *test_kernel(const mt_MslModule *m,
                                       const char *name) {
  const mt_MslKernel *k;
  size_t n = mt_msl_kernels(m, &k);
  for (size_t i = 0; i < n; i++)
    if (!name || !strcmp(k[i].name, name)) return &k[i];
  fail_msg("no kernel %s", name ? name : "");
  return NULL;
}

static Built test_build(const mt_MslModule *m, const mt_MslKernel *k,
                        const mt_Geometry *g, bool noalias, bool print) {
  static int number;
  static const mt_ArgumentFacts any;
  mt_Error err = {""};
  mt_Prepared p;
  mt_PrepareInput in = {.target = mt_target_host(&err),
                        .kernel = k,
                        .formats = noalias ? &any : NULL};
  in.bitcode = mt_msl_bitcode(m, &in.size);
  in.constant_count = mt_msl_constants(m, &in.constants);
  if (mt_prepare(&in, &p, &err) != MT_OK) fail_msg("prepare: %s", err.text);
  if (print) LLVMDumpModule(p.module);
  LLVMValueRef fn;
  Built b = {0};
  mt_VectorFacts facts = {0};
  if (mt_vectorise(p.target, p.module, k, g, NULL, &fn, &facts, &err) != MT_OK)
    fail_msg("cannot: %s", err.text);
  b.spill = facts.spill_bytes;
  b.threadgroup = facts.threadgroup_bytes;
  char name[64];
  int length = snprintf(name, sizeof name, "test_spmd_%d", number++);
  LLVMSetValueName2(fn, name, (size_t)length);
  if (print) LLVMDumpModule(p.module);
  if (mt_verify(p.module, "vectorise", &err) != MT_OK) fail_msg("%s", err.text);
  mt_Str object = MT_STR_INIT, text = MT_STR_INIT;
  if (mt_optimise(p.target, p.module, false, &err) != MT_OK)
    fail_msg("%s", err.text);
  if (print && mt_emit(p.target, p.module, false, true, &text, NULL, &err) ==
                   MT_OK)
    fprintf(stderr, "%s", text.text);
  if (mt_emit(p.target, p.module, false, false, &object, NULL, &err) != MT_OK ||
      mt_jit_load(object.text, object.length, name, &b.code, &err) != MT_OK)
    fail_msg("%s", err.text);
  mt_str_free(&object);
  mt_str_free(&text);
  mt_prepared_free(&p);
  return b;
}

static void *test_block(size_t size) { /* aligned, with room on both sides */
  char *p = aligned_alloc(128, (size + 8192 + 127) / 128 * 128);
  memset(p, 0xA5, size + 8192);
  return p + 4096;
}

static void test_call(const Launch *l, const mt_MslKernel *k, const Built *b) {
  static const atomic_int stop;
  uint64_t args[16];
  mt_KeptTiles kept = {.panels = 3, .run = 1};
  memcpy(args, l->args, sizeof args);
  mt_Group g = {.args = args, .kept = &kept, .stop = &stop};
  g.threadgroup = test_block(b->threadgroup);
  g.spill = test_block(b->spill);
  for (unsigned i = 0; i < k->param_count; i++)
    if (k->params[i].kind == MT_PARAM_THREADGROUP)
      args[i] = (uint64_t)(uintptr_t)test_block(l->threadgroup[i]);
  for (int d = 0; d < 3; d++) {
    g.grid[d] = l->grid[d] ? l->grid[d] : 1;
    g.size[d] = l->group[d] ? l->group[d] : 1;
    g.groups[d] = (g.grid[d] + g.size[d] - 1) / g.size[d];
  }
  for (g.position[2] = 0; g.position[2] < g.groups[2]; g.position[2]++)
    for (g.position[1] = 0; g.position[1] < g.groups[1]; g.position[1]++)
      for (g.position[0] = 0; g.position[0] < g.groups[0]; g.position[0]++) {
        for (int d = 0; d < 3; d++) {
          uint32_t left = g.grid[d] - g.position[d] * g.size[d];
          g.actual[d] = left < g.size[d] ? left : g.size[d];
        }
        mt_code_entry(b->code)(&g);
      }
  free(g.threadgroup - 4096);
  free(g.spill - 4096);
  for (unsigned i = 0; i < k->param_count; i++)
    if (k->params[i].kind == MT_PARAM_THREADGROUP)
      free((char *)(uintptr_t)args[i] - 4096);
}

static mt_Geometry test_geometry(const Launch *l) {
  mt_Geometry g;
  memset(&g, 0, sizeof g); /* also between its parts */
  for (int d = 0; d < 3; d++) {
    g.size[d] = l->group[d] ? l->group[d] : 1;
    uint32_t n = l->grid[d] ? l->grid[d] : 1;
    g.ragged[d] = n % g.size[d] != 0;
  }
  return g;
}

/* The module of the last source is kept: suites run one at many sizes. */
static mt_MslModule *test_module(const char *source) {
  static mt_MslModule *last;
  static const char *of;
  if (of == source) return last;
  mt_msl_free(last);
  of = source;
  return last = test_compile(source);
}

/* The code of the last launch is kept: suites run it with several data. */
static Built test_built(const mt_MslModule *m, const Launch *l,
                        const mt_MslKernel *k) {
  static Built last;
  static const mt_MslKernel *of;
  static mt_Geometry geometry;
  static bool noalias;
  static unsigned when;
  mt_Geometry g = test_geometry(l);
  if (last.code && of == k && when == test_compiles && !l->print &&
      noalias == l->noalias && !memcmp(&geometry, &g, sizeof g))
    return last;
  mt_code_free(last.code);
  of = k, geometry = g, noalias = l->noalias, when = test_compiles;
  return last = test_build(m, k, &g, l->noalias, l->print);
}

/* Of a module that the caller compiled; 'l->source' is not asked for. */
static void test_launch(const mt_MslModule *m, const Launch *l) {
  const mt_MslKernel *k = test_kernel(m, l->kernel);
  Built b = test_built(m, l, k);
  test_call(l, k, &b);
}

static void test_run(const Launch *l) {
  test_launch(test_module(l->source), l);
}

#define ARG(p) ((uint64_t)(uintptr_t)(p))

#endif
