/*
** test_cuda_crosslane.c - the cuda device has every row of the table of
** cross-lane operations: its code is in builtins.c, and gives the reference's
** answers on the stand-in for NVIDIA's driver, which interprets the PTX.
**
** Guards: devices/cuda/builtins: code for every row of that table, with the
** reference's answers on the stand-in; devices/cuda/builtins/builtins.c,
** devices/cuda/ptx/link_builtins.c
*/
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <llvm-c/BitReader.h>
#include <llvm-c/Core.h>

#include "base/files/folders.h"
#include "base/process/worker_process.h"
#include "devices/cuda/cuda.h"
#include "tests/c/crosslane_case.h"

enum { AT_A_TIME = 24 }; /* builtins of a kernel: LLVM's time grows faster */

static mt_Error error;

/* -------------------------------------------------------------- their names */

/* A file of the build folder, which has the suites in a folder of their own. */
static const char *built(const char *name) {
  static char path[4096];
  const char *here = mt_program_path();
  snprintf(path, sizeof path, "%.*s/../%s", (int)(strrchr(here, '/') - here),
           here, name);
  return path;
}

static LLVMModuleRef read_builtins(LLVMContextRef context) {
  LLVMModuleRef m = NULL;
  LLVMMemoryBufferRef bytes;
  char *why = NULL;
  if (LLVMCreateMemoryBufferWithContentsOfFile(built("cuda_builtins.bc"),
                                               &bytes, &why))
    fail_msg("%s", why);
  assert_false(LLVMParseBitcodeInContext2(context, bytes, &m));
  LLVMDisposeMemoryBuffer(bytes);
  return m;
}

static void must_define(LLVMModuleRef m, const char *name, const char *more) {
  char full[96];
  snprintf(full, sizeof full, "%s%s", name, more);
  LLVMValueRef f = LLVMGetNamedFunction(m, full);
  if (!f || LLVMIsDeclaration(f))
    fail_msg("%s has no code in devices/cuda/builtins/builtins.c", full);
}

/* Is the mask of its lanes its last parameter? */
static bool needs_lanes(const Builtin *b) {
  mt_CrosslaneClass c = b->is.row->class;
  return c != MT_LANES_POSITION && c != MT_LANES_MATRIX &&
         b->is.op != MT_CROSSLANE_BARRIER;
}

/* A value that the thread holds is stored by another name (ptx/lower.c). */
static void row_is_defined(LLVMModuleRef m, const Builtin *b) {
  if (b->is.row->class == MT_LANES_CELL)
    must_define(m, "__mt_cell_store", "");
  else
    must_define(m, b->name, needs_lanes(b) ? "_by" : "");
  if (b->is.row->class == MT_LANES_MOVE) must_define(m, b->name, "_held");
}

static void test_names(void **state) {
  (void)state;
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef m = read_builtins(context);
  find_all(true);
  assert_true(count > 100);
  for (int n = 0; n < count; n++) row_is_defined(m, &all[n]);
  LLVMDisposeModule(m);
  LLVMContextDispose(context);
}

/* ------------------------------------------------------------ their answers */

static mt_Kernel *kernel_of(mt_Device *gpu, const char *source) {
  mt_Library *lib = NULL;
  mt_Kernel *k = NULL;
  mt_Str log = MT_STR_INIT;
  if (mt_library_new(gpu, source, strlen(source), NULL, &lib, &log, &error) !=
          MT_OK ||
      mt_kernel_new(lib, "k", NULL, 0, &k, &error) != MT_OK)
    fail_msg("%s\n%s", error.text, mt_str_text(&log));
  mt_library_free(lib);
  mt_str_free(&log);
  return k;
}

static mt_Arg buffer_with(mt_Device *gpu, const void *bytes, size_t size) {
  mt_Buffer *b = NULL;
  if (mt_buffer_new(gpu, size, &b, &error) != MT_OK ||
      mt_buffer_access(b, 0, size, MT_READ_WRITE, &error) != MT_OK)
    fail_msg("%s", error.text);
  if (bytes) memcpy(mt_buffer_contents(b), bytes, size);
  return (mt_Arg){.kind = MT_ARG_BUFFER, .buffer = b, .size = size};
}

static void run_some(mt_Device *gpu, uint32_t active, int first, int end) {
  char *source = source_of(active, first, end);
  mt_Kernel *k = kernel_of(gpu, source);
  size_t size = (size_t)count * sizeof all->result;
  mt_Arg args[5] = {buffer_with(gpu, NULL, size), /* the last: a position */
                    buffer_with(gpu, value, sizeof value),
                    buffer_with(gpu, other, sizeof other),
                    buffer_with(gpu, number, sizeof number)};
  mt_Launch l = {.kernel = k, .args = args, .arg_count = 5,
                 .grid = {MT_LANES, 1, 1}, .group = {MT_LANES, 1, 1},
                 .repeats = 1};
  mt_Timing time;
  if (mt_launch(&l, &time, &error) != MT_OK ||
      mt_buffer_access(args[0].buffer, 0, size, MT_READ, &error) != MT_OK)
    fail_msg("%s\n%s", error.text, source);
  compare(mt_buffer_contents(args[0].buffer), active, first, end,
          "the cuda device");
  for (int i = 0; i < 4; i++) mt_buffer_free(args[i].buffer);
  mt_kernel_free(k);
  free(source);
}

static void test_answers(void **state) {
  (void)state;
  mt_Device *gpu = NULL;
  if (mt_device_open("cuda", &gpu, &error) != MT_OK) fail_msg("%s", error.text);
  fill();
  find_all(false);
  for (int n = 0; n < count; n += AT_A_TIME) {
    int end = n + AT_A_TIME < count ? n + AT_A_TIME : count;
    run_some(gpu, UINT32_MAX, n, end);
    run_some(gpu, 0x6db6f1a5, n, end);
  }
  mt_device_close(gpu);
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_names),
      cmocka_unit_test(test_answers),
  };
  const char *word = mt_worker_process_asked(argc, argv);
  int status = 1;
  if (word) return mt_device_serve(word, &status) ? status : 1;
  mt_worker_process_offer();
  if (!getenv("CUDA_LIBRARY")) /* else on a GPU */
    setenv("METTLE_CUDA_DRIVER", built("tests/cuda/libcuda.so.1"), 0);
  return cmocka_run_group_tests_name("cuda_crosslane", tests, NULL, NULL);
}
