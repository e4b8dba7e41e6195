/*
** test_cuda_random.c - random kernels give the same answer on the cuda device
** as on the host, each with a geometry of its own and two inputs.
**
**   test_cuda_random                 some of them, as a suite
**   test_cuda_random FIRST COUNT     kernels of these seeds, on all cores
**   test_cuda_random FIRST FILE.metal    a seed's geometry for a changed kernel
**
** Over the stand-in for NVIDIA's driver, whose GPU takes its time. With
** CUDA_LIBRARY=libcuda.so.1 on a real one.
**
** Guards: devices/cuda: some of the random kernels of
** tests/c/host/test_random.c give the host's answer; METTLE_TESTS=all takes
** more, `test_cuda_random FIRST COUNT` others, and CUDA_LIBRARY=libcuda.so.1 a
** GPU; devices/cuda/ptx/
*/
#include "tests/c/all_tests.h"
#include "tests/c/host_case.h"
#include "tests/random/launch.h"

#ifdef __linux__

#include "base/files/folders.h"
#include "base/process/worker_process.h"
#include "devices/cuda/cuda.h"

#define MANY 4 /* that the suite tries; METTLE_TESTS=all: 200 */

static Stage here, there;

/* The kernel of that name on the stage that is on. */
static mt_Kernel *take(mt_Library *lib, uint64_t seed, unsigned number) {
  uint32_t fc0 = (uint32_t)(seed % 7);
  bool fc1 = seed % 3 == 0;
  mt_ConstantValue values[] = {{0, &fc0, sizeof fc0}, {1, &fc1, sizeof fc1}};
  char name[16];
  mt_Kernel *k = NULL;
  snprintf(name, sizeof name, "k%u", number);
  if (mt_kernel_new(lib, name, values, 2, &k, &error) != MT_OK)
    print_error("seed %llu, %s: %s\n", (unsigned long long)seed,
                mt_device_info(on->device)->name, error.text);
  return k;
}

static bool run_on(Stage *stage, mt_Kernel *k, uint64_t seed, const Shape *s,
                   unsigned input) {
  on = stage;
  fill_buffers(input);
  fill_textures(input);
  if (launch(k, s) == MT_OK) return true;
  char what[sizeof error.text + 64];
  snprintf(what, sizeof what, "on %s: %s", mt_device_info(on->device)->name,
           error.text);
  return complain(seed, s, what);
}

static bool try_kernel(mt_Library *const lib[2], uint64_t seed,
                       unsigned number) {
  mt_Kernel *k[2];
  on = &here, k[0] = take(lib[0], seed, number);
  on = &there, k[1] = k[0] ? take(lib[1], seed, number) : NULL;
  bool ok = k[1] != NULL;
  Shape s = shape_of(seed, 0);
  for (unsigned input = 0; input < INPUTS && ok; input++) {
    ok = run_on(&here, k[0], seed, &s, input);
    if (ok) keep_answers();
    ok = ok && run_on(&there, k[1], seed, &s, input) &&
         compare(seed, &s, input, "on the GPU");
  }
  mt_kernel_free(k[0]);
  mt_kernel_free(k[1]);
  return ok;
}

static mt_Library *compile(Stage *stage, const mt_Str *source) {
  mt_Library *lib = NULL;
  mt_Str log = MT_STR_INIT;
  mt_CompileOptions how = {
      .math = strstr(mt_str_text(source), FAST) ? MT_MATH_FAST : MT_MATH_SAFE};
  if (mt_library_new(stage->device, source->text, source->length, &how, &lib,
                     &log, &error) != MT_OK)
    print_error("%s\n%.2000s\n", error.text, mt_str_text(&log));
  mt_str_free(&log);
  return lib;
}

static void try_kernels(uint64_t first, unsigned n) {
  mt_Str source = MT_STR_INIT;
  source_for(first, n, &source);
  mt_Library *lib[2] = {compile(&here, &source), NULL};
  lib[1] = lib[0] ? compile(&there, &source) : NULL;
  if (!lib[1]) {
    print_error("seeds from %llu do not compile\n", (unsigned long long)first);
    work->skipped += n;
    work->wrong++;
    n = 0;
  }
  for (unsigned i = 0; i < n; i++) {
    begin_kernel(first + i);
    work->wrong += !try_kernel(lib, first + i, i);
    work->done++;
  }
  mt_library_free(lib[0]);
  mt_library_free(lib[1]);
  mt_str_free(&source);
}

static int make(void **state) {
  mt_Device *gpu = NULL;
  if (open_host(state) != 0 || !open_contents() || !open_stage(&here, host))
    return -1;
  if (mt_device_open("cuda", &gpu, &error) != MT_OK ||
      !open_stage(&there, gpu)) {
    print_error("%s\n", error.text);
    return -1;
  }
  return 0;
}

static int unmake(void **state) {
  if (there.device) {
    close_stage(&there);
    mt_device_close(there.device);
  }
  close_stage(&here);
  close_contents();
  return close_host(state);
}

static void try_count(uint64_t first, uint64_t count) {
  uint64_t start = mt_now_ns();
  try_seeds(first, count, UINT64_MAX);
  printf("# %u random kernels, %u inputs of each, %u wrong, %.0f s\n",
         work->done, INPUTS, work->wrong, (double)(mt_now_ns() - start) * 1e-9);
}

static void test_some(void **state) {
  (void)state;
  try_count(1, all_tests() ? 200 : MANY);
  assert_int_equal(work->wrong, 0);
  assert_true(work->done >= MANY);
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_some)};
  char driver[4096];
  const char *path = mt_program_path();
  const char *word = mt_worker_process_asked(argc, argv);
  int status = 1;
  if (word) return mt_device_serve(word, &status) ? status : 1;
  mt_worker_process_offer();
  snprintf(driver, sizeof driver, "%.*s/cuda/libcuda.so.1",
           (int)(strrchr(path, '/') - path), path);
  if (!getenv("CUDA_LIBRARY")) setenv("METTLE_CUDA_DRIVER", driver, 0);
  if (argc == 3) {
    if (strstr(argv[2], ".metal")) instead = argv[2];
    try_count(strtoull(argv[1], NULL, 10),
              instead ? 1 : strtoull(argv[2], NULL, 10));
    return work->wrong != 0;
  }
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

#include "tests/c/cuda/cuda_case.h"

NO_CUDA_TESTS

#endif
