/*
** test_cuda_driver.c - the cuda device over a fake driver library
** (fake_cuda.c): what is copied when, what becomes of buffers when the driver's
** process ends, the words of errors. Every test with a process that is a copy
** of this one and with this program started again.
**
** Guards: devices/cuda and its driver/: memory, launches, errors and ends of
** the driver's process, over a fake driver library (tests/c/cuda/fake_cuda.c);
** devices/cuda/{arguments, buffer, code, cuda, fault, find, gpu_info_cache,
** launch, log, memory, texture}.c, devices/cuda/driver/{channel, code, copy,
** cu, memory, run, serve, shared_memory}.c
*/
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/files/file.h"
#include "base/files/folders.h"
#include "base/process/worker_process.h"
#include "devices/cuda/cuda.h"
#include "devices/device.h"
#include "tests/c/both_ways.h"
#include "tests/c/cancel_after.h"

#define MB ((size_t)1 << 20)

static mt_Error error;

/* ------------------------------------------------------------------- a case */

static void must(mt_Status status) {
  if (status != MT_OK) fail_msg("%s", error.text);
}

static void says(const char *part) {
  if (!strstr(error.text, part))
    fail_msg("\"%s\" is not in: %s", part, error.text);
}

static mt_Device *open_with(const char *moods) {
  mt_Device *dev = NULL;
  setenv("CUDA_FAKE", moods, 1);
  if (mt_device_open("cuda", &dev, &error) != MT_OK) fail_msg("%s", error.text);
  return dev;
}

static mt_Buffer *buffer(mt_Device *dev, size_t size) {
  mt_Buffer *b = NULL;
  if (mt_buffer_new(dev, size, &b, &error) != MT_OK) fail_msg("%s", error.text);
  return b;
}

/* For the CPU, and right away. */
static uint32_t *words(mt_Buffer *b, size_t first, size_t count,
                       mt_Access access) {
  if (mt_buffer_access(b, 4 * first, 4 * count, access, &error) != MT_OK)
    fail_msg("%s", error.text);
  return (uint32_t *)mt_buffer_contents(b) + first;
}

static const mt_Type uint_type = {
    .kind = MT_TYPE_SCALAR, .name = "uint", .size = 4, .align = 4};

/* A kernel as devices/cuda/kernel would make it; its first parameter is
** written, the second one read. */
typedef struct Case {
  mt_CudaKernel kernel;
  mt_Param params[2];
} Case;

static Case *kernel(mt_Device *dev, const char *word) {
  static uint64_t id;
  Case *c = calloc(1, sizeof *c);
  c->params[0] = (mt_Param){.name = "out",
                            .kind = MT_PARAM_BUFFER,
                            .access = MT_READ_WRITE,
                            .used = true,
                            .type = &uint_type};
  c->params[1] = (mt_Param){.name = "by",
                            .kind = MT_PARAM_BUFFER,
                            .access = MT_READ,
                            .constant = true,
                            .reference = true,
                            .used = true,
                            .type = &uint_type};
  c->kernel = (mt_CudaKernel){
      .head = {.device = dev,
               .info = {.name = word,
                        .params = c->params,
                        .param_count = strcmp(word, "add") == 0 ||
                                               strncmp(word, "wide", 4) == 0
                                           ? 2
                                           : 1,
                        .max_threads = 1024,
                        .simd_width = 32}},
      .whole = {word, strlen(word), ++id}};
  c->kernel.any = c->kernel.whole;
  c->kernel.logs = strcmp(word, "text") == 0 || strcmp(word, "assert") == 0;
  return c;
}

static void done(Case *c) {
  mt_cuda_forget(&c->kernel);
  free(c);
}

typedef struct How {
  mt_Size grid, group;
  uint32_t by;
  unsigned repeats;
  double limit;
} How;

static mt_Status launch(Case *c, mt_Buffer *out, How h) {
  mt_Arg args[2] = {
      {.kind = MT_ARG_BUFFER, .buffer = out, .size = mt_buffer_size(out)},
      {.kind = MT_ARG_BYTES, .bytes = &h.by, .size = sizeof h.by}};
  mt_Launch l = {.kernel = &c->kernel.head,
                 .args = args,
                 .arg_count = c->kernel.head.info.param_count,
                 .grid = h.grid.x ? h.grid : (mt_Size){64, 1, 1},
                 .group = h.group.x ? h.group : (mt_Size){32, 1, 1},
                 .repeats = h.repeats ? h.repeats : 1,
                 .time_limit = h.limit};
  mt_Timing t;
  error.text[0] = 0;
  mt_Status status = mt_launch(&l, &t, &error);
  if (status == MT_OK) assert_int_equal(t.device_ns, 1500000);
  return status;
}

/* What the fake has counted so far. */
typedef struct Calls {
  uint32_t copies_in, copies_out, clears, allocs, frees, launches, loads,
      unloads, shared;
} Calls;

static Calls calls(mt_Device *dev) {
  Calls found;
  mt_Buffer *b = buffer(dev, sizeof found);
  Case *c = kernel(dev, "counters");
  must(launch(c, b, (How){0}));
  memcpy(&found, words(b, 0, sizeof found / 4, MT_READ), sizeof found);
  done(c);
  mt_buffer_free(b);
  return found;
}

/* ------------------------------------------------------------------ opening */

static void test_facts(void **state) {
  (void)state;
  mt_Device *dev = open_with("mb=100");
  const mt_DeviceInfo *i = mt_device_info(dev);
  assert_string_equal(i->name, "cuda");
  assert_string_equal(i->title, "Fake GPU 0");
  assert_true(i->is_gpu && !i->unified_memory);
  assert_int_equal(i->memory, 90 * MB);
  assert_int_equal(i->max_threadgroup_memory, 100 << 10);
  /* CUDA takes 64: such a block is a row */
  assert_int_equal(i->max_group[2], 1024);
  assert_int_equal(mt_cuda_capability(dev), 90);
  mt_device_close(dev);
  must(mt_device_open("cuda:1", &dev, &error));
  assert_string_equal(mt_device_info(dev)->name, "cuda:1");
  assert_string_equal(mt_device_info(dev)->title, "Fake GPU 1");
  mt_device_close(dev);
}

static void test_missing(void **state) {
  (void)state;
  static const struct { const char *moods, *says; } all[] = {
      {"init=100", "finds no GPU"}, {"gpus=0", "finds no GPU"},
      {"capability=61", "has compute capability 6.1; kernels need 7.0"},
      {"driver=10020", "driver is for CUDA 10.2; 11.0 or newer"},
      {"init=803", "differ in version"}, {"init=34", "stub"}};
  mt_Device *dev;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    setenv("CUDA_FAKE", all[i].moods, 1);
    assert_int_equal(mt_device_open("cuda", &dev, &error), MT_FAIL);
    says(all[i].says);
    assert_null(strchr(error.text, '\n'));
  }
  setenv("CUDA_FAKE", "gpus=2", 1);
  assert_int_equal(mt_device_open("cuda:2", &dev, &error), MT_FAIL);
  says("there is no GPU 2 here: NVIDIA's driver has 2");
  assert_int_equal(mt_device_open("cuda:01", &dev, &error), MT_BADARG);
  assert_int_equal(mt_device_open("cuda:", &dev, &error), MT_BADARG);
  says("there is no device 'cuda:' here");
}

static void be(const char *path, const char *moods) {
  must(mt_file_write(path, moods, strlen(moods), 0600, &error));
}

/* A GPU of the last session is opened at once; that it is gone, or another, is
** told by the first use, and the next session asks again. */
static void test_last_session(void **state) {
  (void)state;
  char path[] = "/tmp/mettle-fake-XXXXXX";
  close(mkstemp(path));
  be(path, "mb=80");
  mt_Device *dev = open_with(path);
  mt_device_close(dev);
  dev = open_with(path);
  assert_int_equal(mt_device_info(dev)->memory, 72 * MB);
  must(mt_cuda_check(dev, &error));
  mt_device_close(dev);
  be(path, "mb=80 init=100");
  dev = open_with(path);
  mt_Buffer *b = buffer(dev, 400);
  Case *add = kernel(dev, "add");
  assert_int_equal(launch(add, b, (How){.by = 1}), MT_FAIL);
  says("finds no GPU");
  mt_buffer_free(b);
  done(add);
  mt_device_close(dev);
  assert_int_equal(mt_device_open("cuda", &dev, &error), MT_FAIL);
  be(path, "mb=80");
  mt_device_close(open_with(path));
  be(path, "mb=80 capability=75");
  dev = open_with(path);
  assert_int_equal(mt_cuda_check(dev, &error), MT_FAIL);
  says("start Mettle again");
  mt_device_close(dev);
  dev = open_with(path);
  assert_int_equal(mt_cuda_capability(dev), 75);
  must(mt_cuda_check(dev, &error));
  mt_device_close(dev);
  unlink(path);
}

/* ------------------------------------------------------------------- memory */

/* Lua's view and the kernel's are the same, whichever was last. */
static void test_mirror(void **state) {
  (void)state;
  mt_Device *dev = open_with("");
  mt_Buffer *b = buffer(dev, 3 * MB + 400);
  Case *add = kernel(dev, "add");
  How all = {.grid = {(3 * MB + 400) / 4, 1, 1}, .by = 5};
  assert_int_equal(words(b, 0, 1, MT_READ)[0], 0);
  must(launch(add, b, all));
  uint32_t *w = words(b, 0, all.grid.x, MT_READ);
  for (size_t i = 0; i < all.grid.x; i++) assert_int_equal(w[i], 5);
  words(b, 300000, 1, MT_READ_WRITE)[0] = 100;
  all.repeats = 3;
  must(launch(add, b, all));
  w = words(b, 0, all.grid.x, MT_READ);
  for (size_t i = 0; i < all.grid.x; i++)
    assert_int_equal(w[i], i == 300000 ? 115 : 20);
  /* all of it written again, and a part across two chunks */
  memset(words(b, 0, all.grid.x, MT_WRITE), 0, b->size);
  must(launch(add, b, all));
  w = words(b, 262140, 9, MT_WRITE);
  for (int i = 0; i < 9; i++) w[i] = 1000;
  must(launch(add, b, all));
  w = words(b, 262000, 300, MT_READ);
  for (size_t i = 0; i < 300; i++)
    assert_int_equal(w[i], i >= 140 && i < 149 ? 1015 : 30);
  done(add);
  mt_buffer_free(b);
  mt_device_close(dev);
}

/* Nothing is copied that is current, and only the chunks that are asked for. */
static void test_copies(void **state) {
  (void)state;
  mt_Device *dev = open_with("");
  mt_Buffer *b = buffer(dev, 8 * MB), *other = buffer(dev, 100);
  Case *add = kernel(dev, "add");
  How h = {.grid = {2 * MB, 1, 1}, .by = 1};
  must(launch(add, b, h));
  must(launch(add, other, (How){.by = 1}));
  must(launch(add, b, h));
  Calls start = calls(dev);
  for (int i = 0; i < 10; i++) must(launch(add, b, h));
  Calls now = calls(dev);
  assert_int_equal(now.launches - start.launches, 11);
  assert_int_equal(now.copies_in, start.copies_in); /* not even the value */
  assert_int_equal(now.copies_out - start.copies_out, 1); /* the counters */
  assert_int_equal(words(b, 0, 1, MT_READ)[0], 12);
  assert_int_equal(words(b, 5, 1, MT_READ)[0], 12);
  assert_int_equal(words(b, MB, 1, MT_READ)[0], 12); /* byte 4 MB */
  Calls then = calls(dev);
  assert_int_equal(then.copies_out - now.copies_out, 3);
  words(b, 0, 1, MT_READ_WRITE)[0] = 0;
  words(b, 2 * MB - 1, 1, MT_READ_WRITE)[0] = 0; /* fetched, as it was stale */
  h.by = 2;
  must(launch(add, b, h));
  now = calls(dev);
  /* two chunks, the value */
  assert_int_equal(now.copies_in - then.copies_in, 3);
  assert_int_equal(now.copies_out - then.copies_out, 2);
  assert_int_equal(words(b, 0, 1, MT_READ)[0], 2);
  assert_int_equal(words(b, 2 * MB - 1, 1, MT_READ)[0], 2);
  assert_int_equal(words(b, 7, 1, MT_READ)[0], 14);
  done(add);
  mt_buffer_free(b);
  mt_buffer_free(other);
  mt_device_close(dev);
}

/* A tenth stays free; what is freed can be had again. */
static void test_room(void **state) {
  (void)state;
  mt_Device *dev = open_with("mb=64");
  Case *add = kernel(dev, "add");
  mt_Buffer *b = buffer(dev, 40 * MB), *more = NULL;
  must(launch(add, b, (How){.by = 1}));
  assert_int_equal(mt_buffer_new(dev, 30 * MB, &more, &error), MT_FAIL);
  says("does not fit");
  for (int i = 0; i < 5; i++) {
    mt_buffer_free(b);
    b = buffer(dev, 40 * MB);
    must(launch(add, b, (How){.by = 1}));
    assert_int_equal(words(b, 63, 1, MT_READ)[0], 1);
    /* cleared, not as freed */
    assert_int_equal(words(b, 64, 1, MT_READ)[0], 0);
  }
  mt_buffer_free(b);
  mt_device_close(dev);
  dev = open_with("mb=64");
  b = buffer(dev, 57 * MB); /* 90 % of the card, but the slab is there too */
  add->kernel.head.device = dev;
  more = buffer(dev, MB / 2);
  must(launch(add, more, (How){.by = 1}));
  assert_int_equal(launch(add, b, (How){.by = 1}), MT_FAIL);
  says("57 MB do not fit on the GPU: ");
  must(launch(add, more, (How){.by = 1}));
  assert_int_equal(words(more, 0, 1, MT_READ)[0], 2);
  done(add);
  mt_buffer_free(b);
  mt_buffer_free(more);
  mt_device_close(dev);
}

static void test_textures(void **state) {
  (void)state;
  mt_Device *dev = open_with("");
  mt_TextureDesc d = {MT_TEXTURE_2D, MT_R32UINT, 33, 9, 1, 1};
  mt_Texture *t = NULL;
  uint32_t in[33 * 9], out[33 * 9];
  for (int i = 0; i < 33 * 9; i++) in[i] = (uint32_t)i * 7;
  must(mt_texture_new(dev, &d, &t, &error));
  must(mt_texture_write(t, in, sizeof in, &error));
  must(mt_texture_read(t, out, sizeof out, &error));
  assert_memory_equal(in, out, sizeof in);
  mt_texture_free(t);
  mt_device_close(dev);
}

/* ----------------------------------------------------------------- launches */

/* More groups in y and z than CUDA takes at once: each runs, and once. */
static void test_parts(void **state) {
  (void)state;
  mt_Device *dev = open_with("mb=200");
  Case *groups = kernel(dev, "groups");
  mt_Size grid = {2, 65536 + 3, 2};
  mt_Buffer *b = buffer(dev, grid.x * grid.y * grid.z * 4);
  must(launch(groups, b, (How){.grid = grid, .group = {1, 1, 1}}));
  uint32_t *w = words(b, 0, b->size / 4, MT_READ);
  for (size_t i = 0; i < b->size / 4; i++) assert_int_equal(w[i], 1);
  mt_buffer_free(b);
  b = buffer(dev, (65535 * 2 + 1) * 4);
  must(launch(groups, b,
              (How){.grid = {1, 1, 65535 * 2 + 1}, .group = {1, 1, 1}}));
  w = words(b, 0, b->size / 4, MT_READ);
  for (size_t i = 0; i < b->size / 4; i++) assert_int_equal(w[i], 1);
  must(launch(groups, b, (How){.grid = {1, 1, 1024}, .group = {1, 2, 256}}));
  assert_int_equal(words(b, 3, 1, MT_READ)[0], 2);
  assert_int_equal(words(b, 4, 1, MT_READ)[0], 1);
  done(groups);
  mt_buffer_free(b);
  mt_device_close(dev);
}

static void test_threadgroup_memory(void **state) {
  (void)state;
  mt_Device *dev = open_with("");
  mt_Buffer *b = buffer(dev, 4096);
  Case *add = kernel(dev, "add");
  add->kernel.threadgroup_bytes = 60 << 10;
  add->kernel.cell_bytes = 1024;
  must(launch(add, b, (How){.group = {64, 1, 1}}));
  assert_int_equal(calls(dev).shared, 62 << 10);
  add->kernel.threadgroup_bytes = 99 << 10;
  assert_int_equal(launch(add, b, (How){.group = {64, 1, 1}}), MT_BADARG);
  says("103424 bytes of threadgroup memory are too much: the limit is 102400");
  done(add);
  mt_buffer_free(b);
  mt_device_close(dev);
}

/* Code that uses too many registers for the group is made again for it. */
static void test_registers(void **state) {
  (void)state;
  mt_Device *dev = open_with("");
  mt_Buffer *b = buffer(dev, 4096);
  Case *wide = kernel(dev, "wide 200");
  Calls start = calls(dev);
  must(launch(wide, b, (How){.by = 1, .group = {256, 1, 1}}));
  must(launch(wide, b, (How){.by = 1, .group = {1024, 1, 1}}));
  must(launch(wide, b, (How){.by = 1, .group = {32, 32, 1}}));
  must(launch(wide, b, (How){.by = 1, .group = {300, 1, 1}}));
  must(launch(wide, b, (How){.by = 1, .group = {640, 1, 1}}));
  assert_int_equal(words(b, 9, 1, MT_READ)[0], 5);
  done(wide);
  Calls now = calls(dev);
  assert_int_equal(now.loads - start.loads, 3 + 1);
  assert_int_equal(now.unloads - start.unloads, 3 + 1);
  mt_buffer_free(b);
  mt_device_close(dev);
}

static void test_messages(void **state) {
  (void)state;
  mt_Device *dev = open_with("");
  mt_Buffer *b = buffer(dev, 4096);
  Case *text = kernel(dev, "text"), *fails = kernel(dev, "assert");
  mt_Str out = MT_STR_INIT;
  for (int i = 0; i < 2; i++) { /* the log starts empty each time */
    must(launch(text, b, (How){.grid = {96, 1, 1}}));
    mt_device_messages(dev, &out);
    assert_string_equal(mt_str_text(&out),
                        "kernel: says 40\nkernel: says 41\nkernel: says 42\n");
    mt_str_clear(&out);
  }
  /* more than there is room for */
  must(launch(text, b, (How){.grid = {1u << 20, 1, 1}, .group = {1, 1, 1}}));
  mt_device_messages(dev, &out);
  assert_non_null(strstr(mt_str_text(&out), "more messages were left out"));
  mt_str_clear(&out);
  assert_int_equal(launch(fails, b, (How){0}), MT_FAIL);
  assert_string_equal(
      error.text,
      "kernel 'assert', line 17, threadgroup (1, 0, 0): thread (35, "
      "0, 0) failed assert(x < 3)");
  must(launch(text, b, (How){.grid = {32, 1, 1}}));
  mt_device_messages(dev, &out);
  assert_string_equal(mt_str_text(&out), "kernel: says 40\n");
  mt_str_free(&out);
  done(text);
  done(fails);
  mt_buffer_free(b);
  mt_device_close(dev);
}

static void test_code_facts(void **state) {
  (void)state;
  mt_Device *dev = open_with("");
  Case *add = kernel(dev, "add");
  mt_Str out = MT_STR_INIT;
  must(mt_cuda_code_facts(&add->kernel, &out, &error));
  assert_non_null(strstr(mt_str_text(&out), "registers of a thread: 40\n"));
  assert_non_null(strstr(mt_str_text(&out),
                         "threadgroups of 256 that fit on a multiprocessor: 8, "
                         "2048 threads\n"));
  mt_str_free(&out);
  done(add);
  mt_device_close(dev);
}

/* ------------------------------------------------------------------ the end */

/* After the end of the driver's process: buffers have what the CPU last saw,
** and all works again. */
static void test_errors(void **state) {
  (void)state;
  static const struct { const char *word, *says; bool lost; } all[] = {
      {"error 700", "kernel 'error 700' read or wrote memory that is not there "
                    "(CUDA error 700, CUDA_ERROR_FAKE_700): mt_check ", true},
      {"error 716", "misaligned", true},
      {"error 719", "failed on the GPU", true}, {"error 714", "stack", true},
      {"error 710", "assertion", true},
      {"error 46", "the GPU of cuda is not available", true},
      {"error 999", "could not be launched (CUDA error 999", true},
      {"refuse 701", "make the threadgroup smaller", false},
      {"refuse 2", "found no memory on the GPU", false},
      {"crash", "process of NVIDIA's driver has ended: Aborted", true},
      {"exit", "process of NVIDIA's driver has ended", true},
      {"load 218", "driver, for CUDA 12.4, refuses the code of kernel 'load "
                   "218' (CUDA error 218, CUDA_ERROR_FAKE_218): ptxas: it is a "
                   "word", false},
      {"load 222 .version 8.7",
       "needs a newer NVIDIA driver, for CUDA 12.7: this one is for 12.4",
       false}};
  mt_Device *dev = open_with("");
  mt_Buffer *b = buffer(dev, 2 * MB);
  Case *add = kernel(dev, "add");
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    words(b, 1, 1, MT_READ_WRITE)[0] = 7;
    must(launch(add, b, (How){.by = 1})); /* 8, on the GPU alone */
    Case *bad = kernel(dev, all[i].word);
    assert_int_equal(launch(bad, b, (How){0}), MT_FAIL);
    says(all[i].says);
    assert_int_equal(
        strstr(error.text, "buffers keep what the CPU last saw") != NULL,
        all[i].lost);
    assert_null(strchr(error.text, '\n'));
    assert_int_equal(words(b, 1, 1, MT_READ)[0], all[i].lost ? 7 : 8);
    must(launch(add, b, (How){.by = 1}));
    assert_int_equal(words(b, 1, 1, MT_READ)[0], all[i].lost ? 8 : 9);
    done(bad);
  }
  done(add);
  mt_buffer_free(b);
  mt_device_close(dev);
}

static void test_endless(void **state) {
  (void)state;
  mt_Device *dev = open_with("");
  mt_Buffer *b = buffer(dev, 4096);
  Case *endless = kernel(dev, "endless"), *slow = kernel(dev, "slow"),
       *add = kernel(dev, "add");
  words(b, 0, 1, MT_WRITE)[0] = 3;
  assert_int_equal(launch(endless, b, (How){.limit = 0.2}), MT_TIMEOUT);
  assert_string_equal(
      error.text,
      "kernel 'endless' was stopped: it did not end within its time "
      "limit of 0.2 s; buffers keep what the CPU last saw");
  assert_int_equal(words(b, 0, 1, MT_READ)[0], 3);
  must(launch(add, b, (How){.by = 4}));
  assert_int_equal(words(b, 0, 1, MT_READ)[0], 7);
  pthread_t later = cancel_after(100);
  assert_int_equal(launch(endless, b, (How){0}), MT_CANCELLED);
  cancel_over(later);
  says("kernel 'endless' was interrupted");
  assert_int_equal(words(b, 0, 1, MT_READ)[0], 7);
  must(launch(slow, b, (How){.limit = 20}));
  must(launch(add, b, (How){.by = 4}));
  assert_int_equal(words(b, 0, 1, MT_READ)[0], 11);
  done(endless);
  done(slow);
  done(add);
  mt_buffer_free(b);
  mt_device_close(dev);
}

/* Many buffers come and go: none keeps memory, of the GPU or of files. */
static void test_many(void **state) {
  (void)state;
  mt_Device *dev = open_with("");
  Case *add = kernel(dev, "add");
  static mt_Buffer *all[3000];
  for (int round = 0; round < 2; round++) {
    for (int i = 0; i < 3000; i++) {
      all[i] = buffer(dev, 4000);
      words(all[i], 0, 1, MT_WRITE)[0] = (uint32_t)i;
    }
    for (int i = 0; i < 3000; i += 7) must(launch(add, all[i], (How){.by = 2}));
    for (int i = 0; i < 3000; i++) {
      assert_int_equal(words(all[i], 0, 1, MT_READ)[0], i % 7 ? i : i + 2);
      assert_int_equal(words(all[i], 999, 1, MT_READ)[0], 0);
      mt_buffer_free(all[i]);
    }
  }
  Calls now = calls(dev);
  assert_true(now.allocs - now.frees < 70);
  done(add);
  mt_device_close(dev);
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_facts),
      cmocka_unit_test(test_missing),
      cmocka_unit_test(test_last_session),
      cmocka_unit_test(test_mirror),
      cmocka_unit_test(test_copies),
      cmocka_unit_test(test_room),
      cmocka_unit_test(test_textures),
      cmocka_unit_test(test_parts),
      cmocka_unit_test(test_threadgroup_memory),
      cmocka_unit_test(test_registers),
      cmocka_unit_test(test_messages),
      cmocka_unit_test(test_code_facts),
      cmocka_unit_test(test_errors),
      cmocka_unit_test(test_endless),
      cmocka_unit_test(test_many),
  };
  const char *word = mt_worker_process_asked(argc, argv);
  char path[4096];
  int status = 1;
  if (word) return mt_device_serve(word, &status) ? status : 1;
  mt_worker_process_offer();
  snprintf(path, sizeof path, "%.*s/fake_cuda.so",
           (int)(strrchr(mt_program_path(), '/') - mt_program_path()),
           mt_program_path());
  setenv("METTLE_CUDA_DRIVER", path, 1);
  return run_both_ways(tests, sizeof tests / sizeof *tests, NULL, NULL);
}
