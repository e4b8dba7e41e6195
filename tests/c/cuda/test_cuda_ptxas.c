/*
** test_cuda_ptxas.c - NVIDIA's own assembler takes the PTX of the kernels that
** come with Mettle and of those with known answers, for an old GPU, a server's
** and the newest. Skipped where there is no ptxas: PTXAS=/path/to/ptxas, or
** `scripts/deps ptxas` gets it from NVIDIA's Python wheel below build/.
**
** Each kernel is tried for one of the GPUs, and of those with known answers one
** in sixteen; METTLE_TESTS=all tries all for each.
**
** Guards: devices/cuda/ptx: NVIDIA's own assembler takes the PTX of library
** kernels and of some with known answers, for sm_75, sm_90 or sm_120
** (METTLE_TESTS=all: all of them for each); skipped without ptxas, which
** `scripts/deps` gets from NVIDIA's Python wheel; devices/cuda/kernel/kernel.c,
** devices/cuda/ptx/
*/
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/c/skip.h"

#ifdef __linux__

#include <glob.h>
#include <unistd.h>

#include "base/files/file.h"
#include "devices/compiler/service/source_module.h"
#include "devices/cuda/ptx/ptx.h"
#include "msl/clang/clang.h"
#include "tests/c/all_tests.h"

static const unsigned gpus[] = {75, 90, 120};
enum { GPUS = sizeof gpus / sizeof *gpus };

static char assembler[4096], work[] = "/tmp/mettle-ptxas-XXXXXX";
static bool all;
static unsigned tried, wrong, without_values;

static bool find_assembler(void) {
  const char *named = getenv("PTXAS"), *at = "build/ptxas/ptxas";
  if (named == NULL && access(at, X_OK) == 0) named = at;
  if (named == NULL && system("command -v ptxas >/dev/null 2>&1") == 0)
    named = "ptxas";
  if (named == NULL) return false;
  snprintf(assembler, sizeof assembler, "%s", named);
  return true;
}

static void assemble(const char *path, const mt_CompileJob *job, unsigned gpu) {
  mt_PtxRequest request = {.capability = gpu};
  mt_PtxFacts facts;
  mt_Str ptx = MT_STR_INIT;
  mt_Error err = {{0}};
  char file[200], command[5000], said[2000];
  tried++;
  if (mt_ptx_make(job, &request, &facts, &ptx, &err) != MT_OK) {
    print_error("%s, %s, sm_%u: %s\n", path, job->msl->name, gpu, err.text);
    wrong++;
    mt_str_free(&ptx);
    return;
  }
  snprintf(file, sizeof file, "%s/k.ptx", work);
  FILE *f = fopen(file, "w");
  assert_non_null(f);
  fwrite(ptx.text, 1, ptx.length, f);
  fclose(f);
  mt_str_free(&ptx);
  snprintf(command, sizeof command,
           "'%s' -arch=sm_%u -O1 %s -o %s/k.cubin 2>&1", assembler, gpu, file,
           work);
  f = popen(command, "r");
  assert_non_null(f);
  size_t n = fread(said, 1, sizeof said - 1, f);
  said[n] = '\0';
  if (pclose(f) != 0) {
    print_error("%s, %s, sm_%u: %s\n", path, job->msl->name, gpu, said);
    wrong++;
  }
}

static void try_file(const char *path, unsigned turn) {
  mt_Str text = MT_STR_INIT, log = MT_STR_INIT;
  mt_Error err = {{0}};
  mt_SourceModule *m = NULL;
  mt_CompileOptions options = {0};
  if (mt_file_read(path, 1 << 20, &text, &err) != MT_OK)
    fail_msg("%s", err.text);
  if (mt_module_new(text.text, text.length, &options, NULL, &m, &log, &err) !=
      MT_OK)
    fail_msg("%s: %s", path, err.text);
  mt_clang_stay();
  const mt_MslKernel *kernels;
  const mt_Constant *constants;
  size_t n = mt_msl_kernels(m->msl, &kernels);
  if (mt_msl_constants(m->msl, &constants) != 0) {
    without_values++; /* function constants: the code needs their values */
    n = 0;
  }
  for (size_t k = 0; k < n; k++) {
    mt_SourceModule *of = NULL;
    if (mt_module_of(m, kernels[k].name, &of, &err) != MT_OK)
      fail_msg("%s: %s", path, err.text);
    const mt_MslKernel *msl = mt_module_kernel(of, kernels[k].name);
    mt_CompileJob job = mt_module_job(of, msl, NULL, 0);
    /* ptxas takes twelve seconds for matmul_simdgroup on sm_75, minutes for
    ** matmul_wide, and a second on the newer ones: the turns begin so that it
    ** is not that one */
    for (unsigned g = 0; g < GPUS && !msl->missing; g++)
      if (all || (turn + k + 2) % GPUS == g) assemble(path, &job, gpus[g]);
    mt_module_release(of);
  }
  mt_module_release(m);
  mt_str_free(&text);
  mt_str_free(&log);
}

static void try_files(const char *pattern, unsigned every) {
  glob_t found;
  if (assembler[0] == '\0') {
    skip_because("no ptxas: PTXAS=/path/to/ptxas, or scripts/deps ptxas");
  }
  tried = wrong = without_values = 0;
  assert_int_equal(glob(pattern, 0, NULL, &found), 0);
  for (size_t k = 0; k < found.gl_pathc; k++)
    if (all || k % every == 0)
      try_file(found.gl_pathv[k], (unsigned)(k / every));
  globfree(&found);
  print_message("# %u assembled, %u wrong, %u files need function constants\n",
                tried, wrong, without_values);
  assert_true(tried > 0);
  assert_int_equal(wrong, 0);
}

static void library(void **state) {
  (void)state;
  try_files("kernels/*.metal", 1);
}

static void known_answers(void **state) {
  (void)state;
  try_files("tests/msl/run/*.metal", 16);
}

static int start(void **state) {
  (void)state;
  all = all_tests();
  find_assembler();
  return mkdtemp(work) == NULL ? -1 : 0;
}

static int finish(void **state) {
  (void)state;
  char command[100];
  snprintf(command, sizeof command, "rm -rf %s", work);
  return system(command);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(library),
      cmocka_unit_test(known_answers),
  };
  return cmocka_run_group_tests(tests, start, finish);
}
#else
static void nothing(void **state) {
  (void)state, skip_because("the cuda device is for Linux");
}
int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
#endif
