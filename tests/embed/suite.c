/*
** suite.c - libmettle as a program in C sees it: the public header, the library
** and nothing else. Speaks TAP; tests/embed/test_embed.sh builds and runs it.
*/
#include <fcntl.h>
#include <mettle/mettle.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "suite.h"

mettle_Error err;
mettle_Device *dev;
static int number, failures;

void ok(int good, const char *what) {
  printf("%sok %d - %s\n", good ? "" : "not ", ++number, what);
  if (!good) printf("# %s\n", err.text), failures++;
  fflush(stdout);
}

int says(const char *word) { return strstr(err.text, word) != NULL; }

mettle_Kernel *take(const char *source, const char *name) {
  mettle_Library *lib;
  mettle_Kernel *k;
  if (mettle_library_new(dev, source, strlen(source), NULL, &lib, NULL, &err))
    return NULL;
  mettle_kernel_new(lib, name, NULL, 0, &k, &err);
  mettle_library_free(lib);
  return k;
}

/* A launch of 'k' over one buffer, which may then be freed by the caller. */
static mettle_Launch *launch_on(mettle_Kernel *k, mettle_Buffer *b,
                                uint64_t grid) {
  mettle_Launch *l;
  if (mettle_launch_new(k, &l, &err)) return NULL;
  mettle_launch_buffer(l, 0, b, 0, &err);
  mettle_launch_grid(l, grid, 1, 1);
  return l;
}

/* ------------------------------------------------------------------ basics */

static void test_devices(void) {
  const char *what = NULL;
  mettle_Device *none = (mettle_Device *)&err;
  mettle_DeviceInfo info;
  int host = 0;
  for (unsigned i = 0; mettle_device_name(i, &what); i++)
    host |= strcmp(mettle_device_name(i, NULL), "host") == 0 && what[0];
  ok(host && !mettle_device_name(99, NULL), "devices are listed");
  ok(mettle_abi() == METTLE_ABI && mettle_version()[0], "version and ABI");
  ok(mettle_device_open("toaster", &none, &err) == METTLE_BADARG && !none &&
         says("toaster"),
     "an unknown device is a sentence");
  ok(mettle_device_open(NULL, &dev, &err) == METTLE_OK, "a device opens");
  mettle_device_info(dev, &info);
  ok(info.name[0] && info.title[0] && info.simd_width == 32, "it has facts");
}

static void test_compile(void) {
  static const char wrong[] = "kernel void f(device float *x) {\n"
                              "  x[0] = oops;\n"
                              "}\n";
  static const char two[] = "kernel void a(device float *x) { x[0] = SIZE; }\n"
                            "kernel void b(device float *x) { x[0] = 2; }\n";
  static const char *const elsewhere[][2] = {
      {"kernel void f(device int *x) { cudaMalloc(x); }",
       "kernel: mettle_buffer_new."},
      {"#include \"/etc/passwd\"\nkernel void f(device int *x) { x[0] = 1; }",
       "mettle_CompileOptions.include_dirs"}};
  const char *const defines[] = {"SIZE=7", "BARE", NULL};
  mettle_CompileOptions o = {.file = "bad.metal", .defines = defines};
  mettle_Library *lib;
  mettle_Kernel *k;
  char *log;
  ok(mettle_library_new(dev, wrong, strlen(wrong), &o, &lib, &log, &err) !=
             METTLE_OK && !lib && says("bad.metal:2:10: error: ") &&
         says("oops"),
     "an error of the source has its file and line");
  ok(log && strstr(log, "x[0] = oops;\n") && strstr(log, "^"),
     "the log shows the line");
  mettle_text_free(log);
  for (size_t i = 0; i < 2; i++) {
    ok(mettle_library_new(dev, elsewhere[i][0], strlen(elsewhere[i][0]), &o,
                          &lib, &log, &err) != METTLE_OK &&
           strstr(log, elsewhere[i][1]),
       "a log says what to write instead in C");
    mettle_text_free(log);
  }
  ok(mettle_library_new(dev, "", 0, NULL, &lib, NULL, &err) == METTLE_BADARG,
     "an empty source is a sentence");
  ok(mettle_library_new(dev, two, strlen(two), &o, &lib, NULL, &err) ==
         METTLE_OK, "defines hold");
  ok(strcmp(mettle_library_kernel(lib, 1), "b") == 0 &&
         !mettle_library_kernel(lib, 2), "kernels are named");
  ok(mettle_kernel_new(lib, NULL, NULL, 0, &k, &err) == METTLE_BADARG &&
         says("2 kernels"), "of two kernels one has to be named");
  ok(mettle_kernel_new(lib, "c", NULL, 0, &k, &err) == METTLE_BADARG &&
         says("'c'"), "an unknown kernel is a sentence");
  mettle_library_free(lib);
}

static const char scale_source[] =
    "constant float offset [[function_constant(3)]];\n"
    "kernel void scale(device const float4 *x [[buffer(1)]],\n"
    "    uint i [[thread_position_in_grid]], device float4 *y [[buffer(0)]],\n"
    "    constant float &by [[buffer(2)]], threadgroup float *room) {\n"
    "  room[0] = 0; y[i] = by * x[i] + offset;\n"
    "}\n";

/* Without the size of its threadgroup memory. */
static void test_advice(mettle_Kernel *k, mettle_Buffer *x, mettle_Buffer *y) {
  float by = 3;
  mettle_Launch *l;
  mettle_launch_new(k, &l, &err);
  mettle_launch_buffer(l, 0, x, 0, &err);
  mettle_launch_buffer(l, 1, y, 0, &err);
  mettle_launch_value(l, 2, &by, sizeof by, &err);
  mettle_launch_grid(l, 64, 1, 1);
  ok(mettle_launch_run(l, NULL, &err) == METTLE_BADARG &&
         says("mettle_launch_threadgroup"),
     "what to write instead is said in C");
  mettle_launch_free(l);
}

/* x and y are given by name, 'by' as a value. */
static void test_arguments(void) {
  static _Alignas(16) float x[256], y[256];
  float by = 3, offset = 0.5f;
  mettle_Constant value = {3, &offset, sizeof offset};
  mettle_Library *lib;
  mettle_Kernel *k;
  mettle_Buffer *bx, *by_buffer, *crooked;
  mettle_Launch *l;
  mettle_Param p;
  void *at;
  for (int i = 0; i < 256; i++) x[i] = (float)i;
  mettle_library_new(dev, scale_source, strlen(scale_source), NULL, &lib, NULL,
                     &err);
  ok(mettle_kernel_new(lib, NULL, &value, 1, &k, &err) == METTLE_OK,
     "a kernel with a function constant");
  mettle_library_free(lib);
  ok(mettle_kernel_params(k) == 4 && mettle_kernel_find(k, "y") == 1 &&
         mettle_kernel_find(k, "i") == -1 &&
         mettle_kernel_param(k, 4, &p) == METTLE_BADARG,
     "parameters are counted without the device's own");
  ok(mettle_kernel_param(k, 0, &p) == METTLE_OK && p.kind == METTLE_BUFFER &&
         p.is_read && !p.is_written && p.size == 16 && p.components == 4 &&
         strcmp(p.scalar, "float") == 0 && strcmp(p.type, "float4") == 0,
     "a parameter has its type");
  mettle_Kernel *sum = take(
      "kernel void sum(device float *a, device float *b, device float *c, uint "
      "i [[thread_position_in_grid]]) { c[i] = a[i]; }", "sum");
  int does[3] = {0};
  for (unsigned i = 0; i < 3 && sum; i++) {
    mettle_kernel_param(sum, i, &p);
    does[i] = p.is_read + 2 * p.is_written;
  }
  ok(does[0] == 1 && does[1] == 0 && does[2] == 2,
     "what a kernel reads and writes is known without const");
  mettle_kernel_free(sum);
  mettle_buffer_wrap(dev, x, sizeof x, METTLE_READ_ONLY, &bx, &err);
  mettle_buffer_wrap(dev, y, sizeof y, 0, &by_buffer, &err);
  ok(mettle_buffer_open(by_buffer, METTLE_READ, &at, &err) == METTLE_OK &&
         at == y, "wrapped memory is the caller's own");
  mettle_launch_new(k, &l, &err);
  mettle_launch_buffer(l, (unsigned)mettle_kernel_find(k, "x"), bx, 0, &err);
  mettle_launch_value(l, (unsigned)mettle_kernel_find(k, "by"), &by, sizeof by,
                      &err);
  mettle_launch_threadgroup(l, 3, 16, &err);
  mettle_launch_grid(l, 64, 1, 1);
  ok(mettle_launch_run(l, NULL, &err) == METTLE_BADARG && says("'y'"),
     "an argument that is missing is named");
  mettle_launch_buffer(l, 1, bx, 0, &err);
  ok(mettle_launch_run(l, NULL, &err) == METTLE_BADARG && says("read-only"),
     "memory that is read-only is not written");
  mettle_buffer_wrap(dev, (char *)y + 4, 64, 0, &crooked, &err);
  mettle_launch_buffer(l, 1, crooked, 0, &err);
  ok(mettle_launch_run(l, NULL, &err) == METTLE_BADARG &&
         says("multiple of 16"),
     "memory that is not aligned is refused");
  mettle_buffer_free(crooked);
  ok(mettle_launch_buffer(l, 9, by_buffer, 0, &err) == METTLE_BADARG &&
         mettle_launch_buffer(l, 1, by_buffer, 9999, &err) == METTLE_BADARG,
     "numbers and offsets out of range are sentences");
  mettle_launch_buffer(l, 1, by_buffer, 0, &err);
  test_advice(k, bx, by_buffer);
  mettle_kernel_free(k); /* the launch has what it needs */
  mettle_buffer_free(bx);
  mettle_buffer_free(by_buffer);
  mettle_Timing t;
  ok(mettle_launch_run(l, &t, &err) == METTLE_OK && y[10] == 30.5f &&
         y[255] == 765.5f && t.wall_ns > 0, "the answer is in place");
  mettle_launch_free(l);
}

static void test_sequence(void) {
  static const char source[] =
      "kernel void more(device int *x, uint i [[thread_position_in_grid]]) {\n"
      "  x[i] = x[i] * 2 + 1;\n"
      "}\n";
  mettle_Kernel *k = take(source, "more");
  mettle_Buffer *b;
  mettle_Timing whole, each[3];
  int *x;
  mettle_buffer_new(dev, 400, &b, &err);
  mettle_Launch *l = launch_on(k, b, 100), *list[] = {l, l, l};
  mettle_Launch *small, *wrong[2];
  ok(mettle_launch_sequence(list, 3, &whole, each, &err) == METTLE_OK &&
         mettle_buffer_open(b, METTLE_READ, (void **)&x, &err) == METTLE_OK &&
         x[99] == 7 && whole.wall_ns > 0, "a sequence runs in its order");
  mettle_launch_new(k, &small, &err);
  mettle_launch_grid(small, 1, 1, 1);
  wrong[0] = l, wrong[1] = small;
  ok(mettle_launch_sequence(wrong, 2, NULL, NULL, &err) == METTLE_BADARG &&
         says("launch 2 of 2: "), "of a sequence the wrong launch is named");
  ok(mettle_launch_sequence(list, 0, NULL, NULL, &err) == METTLE_BADARG,
     "a sequence of nothing is a sentence");
  mettle_launch_free(small);
  mettle_launch_free(l);
  mettle_buffer_free(b);
  mettle_kernel_free(k);
}

static void test_texture(void) {
  static const char source[] =
      "#include <metal_stdlib>\nusing namespace metal;\n"
      "kernel void copy(texture2d<float> from [[texture(0)]],\n"
      "                 texture2d<float, access::write> to [[texture(1)]],\n"
      "                 sampler s [[sampler(0)]],\n"
      "                 uint2 at [[thread_position_in_grid]]) {\n"
      "  to.write(from.sample(s, float2(at) + 0.5f) * 2, at);\n"
      "}\n";
  mettle_Kernel *k = take(source, NULL);
  mettle_Texture *from, *to, *none;
  mettle_Launch *l;
  float pixels[12], got[12] = {0};
  for (int i = 0; i < 12; i++) pixels[i] = (float)i;
  ok(mettle_texture_new(dev, "2d", "r9float", 4, 3, 1, &none, &err) ==
             METTLE_BADARG && says("r9float") &&
         mettle_texture_new(dev, "5d", "r32float", 4, 3, 1, &none, &err) ==
             METTLE_BADARG, "an unknown format or kind is a sentence");
  mettle_texture_new(dev, "2d", "r32float", 4, 3, 1, &from, &err);
  mettle_texture_new(dev, "2d", "r32float", 4, 3, 1, &to, &err);
  mettle_texture_write(from, pixels, sizeof pixels, &err);
  mettle_launch_new(k, &l, &err);
  mettle_launch_texture(l, 0, from, &err);
  mettle_launch_texture(l, 1, to, &err);
  ok(mettle_launch_sampler(l, 2, 0, 1, "wrap", &err) == METTLE_BADARG,
     "an unknown address mode is a sentence");
  mettle_launch_sampler(l, 2, 0, 1, "clamp_to_edge", &err);
  mettle_launch_grid(l, 4, 3, 1);
  ok(mettle_launch_run(l, NULL, &err) == METTLE_OK &&
         mettle_texture_read(to, got, sizeof got, &err) == METTLE_OK &&
         got[11] == 22 && got[0] == 0, "textures and samplers");
  mettle_launch_free(l);
  mettle_texture_free(from);
  mettle_texture_free(to);
  mettle_kernel_free(k);
}

/* ------------------------------------------------------- what goes wrong */

static const char store_source[] =
    "kernel void store(device int *x, constant long &at,\n"
    "                  uint i [[thread_position_in_grid]]) {\n"
    "  x[at + i] = 77;\n"
    "}\n";

static mettle_Status store_at(mettle_Kernel *k, mettle_Buffer *b, int64_t at) {
  mettle_Launch *l = launch_on(k, b, 1);
  mettle_launch_value(l, 1, &at, sizeof at, &err);
  mettle_Status status = mettle_launch_run(l, NULL, &err);
  mettle_launch_free(l);
  return status;
}

static void test_faults(void) {
  static int mine[64], beside[1 << 16];
  mettle_Kernel *k = take(store_source, NULL);
  mettle_Buffer *own, *guarded;
  int64_t to_beside = &beside[1 << 15] - &mine[0];
  mettle_buffer_new(dev, 256, &own, &err);
  ok(store_at(k, own, 1 << 20) == METTLE_FAIL && says("store"),
     "a store outside of a buffer is a sentence");
  ok(store_at(k, own, -(1 << 20)) == METTLE_FAIL &&
         store_at(k, own, (int64_t)1 << 40) == METTLE_FAIL &&
         store_at(k, own, 3) == METTLE_OK, "and the next launch is right");
  mettle_buffer_wrap(dev, mine, sizeof mine, METTLE_GUARDED, &guarded, &err);
  ok(store_at(k, guarded, to_beside) == METTLE_FAIL && beside[1 << 15] == 0,
     "guarded memory has no way to the program's");
  ok(store_at(k, guarded, 5) == METTLE_OK && mine[5] == 77,
     "what is written to guarded memory comes back");
  mettle_buffer_free(own);
  mettle_buffer_free(guarded);
  mettle_kernel_free(k);
}

static const char endless_source[] =
    "kernel void endless(device int *x, uint i [[thread_position_in_grid]]) {\n"
    "  while (x[i] == 0) { x[i + 1] += 1; }\n"
    "}\n";

static void *cancel_soon(void *unused) {
  usleep(200000);
  mettle_cancel();
  return unused;
}

static int stop_at_third(void *count) { return ++*(int *)count > 2; }

static int nested(void *device) {
  mettle_Buffer *b;
  return mettle_buffer_new(device, 4, &b, &err) == METTLE_BADARG;
}

/* (that nothing is left is what the sanitizers see) */
static int frees(void *buffer) {
  mettle_buffer_free(*(mettle_Buffer **)buffer);
  *(mettle_Buffer **)buffer = NULL;
  return 1;
}

static void test_endless(void) {
  mettle_Kernel *k = take(endless_source, NULL);
  mettle_Buffer *b;
  pthread_t other;
  int count = 0;
  mettle_buffer_new(dev, 64, &b, &err);
  mettle_Launch *l = launch_on(k, b, 1);
  mettle_launch_limit(l, 0.2);
  ok(mettle_launch_run(l, NULL, &err) == METTLE_TIMEOUT,
     "an endless kernel ends at its limit");
  mettle_launch_limit(l, 0);
  pthread_create(&other, NULL, cancel_soon, NULL);
  ok(mettle_launch_run(l, NULL, &err) == METTLE_CANCELLED,
     "mettle_cancel ends it from another thread");
  pthread_join(other, NULL);
  mettle_poll(stop_at_third, &count);
  ok(mettle_launch_run(l, NULL, &err) == METTLE_CANCELLED && count == 3,
     "a poll ends it");
  mettle_poll(nested, dev);
  ok(mettle_launch_run(l, NULL, &err) == METTLE_CANCELLED,
     "a poll that calls the library is refused, not stuck");
  mettle_Buffer *other_buffer;
  mettle_buffer_new(dev, 4096, &other_buffer, &err);
  mettle_poll(frees, &other_buffer);
  ok(mettle_launch_run(l, NULL, &err) == METTLE_CANCELLED && !other_buffer,
     "a poll may free");
  mettle_poll(NULL, NULL);
  mettle_launch_free(l);
  mettle_buffer_free(b);
  mettle_kernel_free(k);
}

/* ------------------------------------------------------- check and profile */

static void test_check(void) {
  static const char source[] =
      "kernel void race(device int *sum, device const int *x,\n"
      "                 uint i [[thread_position_in_grid]]) {\n"
      "  sum[0] += x[i + 1];\n"
      "}\n";
  static int x[64], sum[1] = {5};
  mettle_Kernel *k = take(source, NULL);
  mettle_Buffer *bx, *bs;
  mettle_Report *r;
  mettle_Finding f, bounds = {0}, race = {0};
  mettle_buffer_wrap(dev, x, sizeof x, 0, &bx, &err);
  mettle_buffer_wrap(dev, sum, sizeof sum, 0, &bs, &err);
  mettle_Launch *l = launch_on(k, bs, 64);
  mettle_launch_buffer(l, 1, bx, 0, &err);
  ok(mettle_check(l, NULL, &r, &err) == METTLE_OK && sum[0] == 5,
     "a check changes nothing");
  mettle_kernel_free(k);
  mettle_launch_free(l); /* the report needs neither */
  size_t n = mettle_report_findings(r);
  for (size_t i = 0; i < n; i++) {
    mettle_report_finding(r, i, &f);
    if (strcmp(f.kind, "out-of-bounds") == 0) bounds = f;
    if (strcmp(f.kind, "race") == 0) race = f;
  }
  ok(n == 2 && mettle_report_finding(r, n, &f) == METTLE_BADARG &&
         race.line == 3 && race.message[0] && race.advice[0] &&
         race.thread_count >= 2 && strcmp(race.buffer, "sum") == 0,
     "a race is found, with its line and threads");
  ok(bounds.line == 3 && bounds.index == 64 && bounds.length == 64 &&
         strcmp(bounds.buffer, "x") == 0 && bounds.threads[0][0] == 63,
     "an access out of bounds, with its index");
  ok(strstr(mettle_report_text(r), "race: ") &&
         strstr(mettle_report_text(r), "sum[0] += x[i + 1];") &&
         mettle_report_json(r)[0] == '[' && strstr(race.text, "fix: ") &&
         strstr(mettle_report_json(r), "\"race\""),
     "the report as text and as JSON");
  mettle_report_free(r);
  mettle_buffer_free(bx);
  mettle_buffer_free(bs);
}

static void test_unordered(void) {
  static const char source[] =
      "#include <metal_stdlib>\n"
      "using namespace metal;\n"
      "kernel void keep(device uint *hits, device atomic_uint *count,\n"
      "                 uint i [[thread_position_in_grid]]) {\n"
      "  hits[atomic_fetch_add_explicit(count, 1u, memory_order_relaxed)] =\n"
      "      i;\n"
      "}\n";
  mettle_Kernel *k = take(source, NULL);
  mettle_Buffer *hits, *count;
  mettle_Report *r;
  mettle_buffer_new(dev, 4 * 256, &hits, &err);
  mettle_buffer_new(dev, 4, &count, &err);
  mettle_Launch *l = launch_on(k, hits, 256);
  mettle_launch_buffer(l, 1, count, 0, &err);
  mettle_launch_group(l, 64, 1, 1);
  ok(mettle_check(l, NULL, &r, &err) == METTLE_OK &&
         mettle_report_findings(r) == 0 && mettle_report_unordered(r) &&
         strcmp(mettle_report_unordered(r), "hits") == 0 &&
         strstr(mettle_report_text(r), "Unordered: threads append to hits"),
     "an unordered list has its name");
  mettle_report_free(r);
  mettle_CheckOptions none = {.schedules = -1};
  ok(mettle_check(l, &none, &r, &err) == METTLE_OK &&
         !mettle_report_unordered(r), "and none is NULL");
  mettle_report_free(r);
  mettle_launch_free(l);
  mettle_kernel_free(k);
  mettle_buffer_free(hits);
  mettle_buffer_free(count);
}

static void test_profile(void) {
  static const char source[] =
      "kernel void strided(device const float *x, device float *y,\n"
      "                    uint i [[thread_position_in_grid]]) {\n"
      "  y[i] = x[i * 32] + 1;\n"
      "}\n";
  mettle_Kernel *k = take(source, NULL);
  mettle_Buffer *bx, *by;
  mettle_Report *r;
  double reads = 0, coalescing = 1, none = 1;
  mettle_buffer_new(dev, 4 * 32 * 256, &bx, &err);
  mettle_buffer_new(dev, 4 * 256, &by, &err);
  mettle_Launch *l = launch_on(k, bx, 256);
  mettle_launch_buffer(l, 1, by, 0, &err);
  ok(mettle_profile(l, &r, &err) == METTLE_OK, "a profile");
  ok(mettle_report_number(r, "device_reads", &reads) == METTLE_OK &&
         reads == 256 &&
         mettle_report_number(r, "coalescing", &coalescing) == METTLE_OK &&
         coalescing < 0.1 && coalescing > 0 &&
         mettle_report_number(r, "issued.float", &none) == METTLE_OK &&
         none == 8, "its numbers by their names");
  size_t names = 0;
  while (mettle_report_number_name(r, names)) names++;
  ok(names > 30 && mettle_report_number(r, "luck", &none) == METTLE_BADARG &&
         mettle_report_findings(r) == 0, "it has the names of its numbers");
  ok(strstr(mettle_report_text(r), "profile of strided") &&
         strstr(mettle_report_text(r), "y[i] = x[i * 32] + 1;") &&
         mettle_report_json(r)[0] == '{', "the profile as text and as JSON");
  mettle_report_free(r);
  mettle_launch_free(l);
  mettle_buffer_free(bx);
  mettle_buffer_free(by);
  mettle_kernel_free(k);
}

/* ----------------------------------------------------------- threads, forks */

/* Each has a kernel and a buffer of its own. */
static void *one_of_many(void *argument) {
  int me = *(int *)argument;
  char source[200];
  mettle_Error e;
  mettle_Library *lib;
  mettle_Kernel *k;
  mettle_Buffer *b;
  mettle_Launch *l;
  int *x;
  long good = 0;
  snprintf(source, sizeof source,
           "kernel void f(device int *x, uint i [[thread_position_in_grid]]) "
           "{ x[i] += %d; }", me);
  if (mettle_library_new(dev, source, strlen(source), NULL, &lib, NULL, &e) ||
      mettle_kernel_new(lib, NULL, NULL, 0, &k, &e) ||
      mettle_buffer_new(dev, 4000, &b, &e) || mettle_launch_new(k, &l, &e))
    return NULL;
  mettle_launch_buffer(l, 0, b, 0, &e);
  mettle_launch_grid(l, 1000, 1, 1);
  for (int i = 0; i < 50; i++) good += mettle_launch_run(l, NULL, &e) == 0;
  mettle_buffer_open(b, METTLE_READ, (void **)&x, &e);
  for (int i = 0; i < 1000; i++) good += x[i] == 50 * me;
  mettle_kernel_free(k);
  mettle_buffer_free(b);
  mettle_library_free(lib);
  mettle_launch_free(l);
  return (void *)good;
}

static void test_threads(void) {
  enum { N = 6 };
  pthread_t threads[N];
  int names[N];
  long good = 0;
  for (int i = 0; i < N; i++) {
    names[i] = i + 1;
    pthread_create(&threads[i], NULL, one_of_many, &names[i]);
  }
  for (int i = 0; i < N; i++) {
    void *result = NULL;
    pthread_join(threads[i], &result);
    good += (long)result;
  }
  ok(good == N * 1050, "six threads at once, each with a kernel of its own");
  /* those that compiled have ended; what they started has not */
  mettle_Kernel *k = take(store_source, NULL);
  ok(k != NULL, "a compile after the threads have ended");
  mettle_kernel_free(k);
}

/* One thread's launch is checked and does not end; meanwhile another one's is
** checked, which ends. */
static volatile int is_over;

static void *check_endless(void *launch) {
  mettle_Error e;
  mettle_Report *r = NULL;
  mettle_check(launch, NULL, &r, &e);
  is_over = 1;
  return r;
}

static mettle_Launch *one_thread_of(const char *source, mettle_Buffer *b) {
  mettle_Kernel *k = take(source, NULL);
  mettle_Launch *l = k ? launch_on(k, b, 1) : NULL;
  mettle_kernel_free(k);
  return l;
}

static void test_checks_at_once(void) {
  const mettle_CheckOptions once = {.schedules = -1};
  mettle_Buffer *b;
  mettle_Report *mine = NULL;
  mettle_Finding found;
  pthread_t other;
  void *its = NULL;
  mettle_buffer_new(dev, 16, &b, &err);
  mettle_Launch *endless = one_thread_of(
      "kernel void e(device int *x) { x[9] = 1; while (x[0] == 0) x[1]++; }",
      b);
  mettle_Launch *wrong =
      one_thread_of("kernel void w(device int *x) { x[5] = 1; }", b);
  mettle_launch_limit(endless, 60);
  pthread_create(&other, NULL, check_endless, endless);
  usleep(300000);
  int good = mettle_check(wrong, &once, &mine, &err) == METTLE_OK && !is_over;
  ok(good && mettle_report_findings(mine) == 1 &&
         mettle_report_finding(mine, 0, &found) == METTLE_OK &&
         found.index == 5,
     "a check ends while another thread's goes on");
  mettle_cancel();
  pthread_join(other, &its);
  ok(its && mettle_report_findings(its) >= 1 &&
         mettle_report_finding(its, 0, &found) == METTLE_OK &&
         found.index == 9,
     "each has its own findings");
  mettle_report_free(mine);
  mettle_report_free(its);
  mettle_launch_free(endless);
  mettle_launch_free(wrong);
  mettle_buffer_free(b);
}

static void test_fork(void) {
  pid_t child = fork();
  int how = 1;
  if (child == 0) {
    mettle_Buffer *b;
    alarm(20); /* a lock that is never free */
    _exit(mettle_buffer_new(dev, 4, &b, &err) == METTLE_FAIL && says("fork")
              ? 0 : 1);
  }
  waitpid(child, &how, 0);
  ok(how == 0, "in the child of a fork it is a sentence");
}

/* A program without standard files: no pipe or file of the library's gets
** their numbers, and what the program prints. */
static int use_without_files(void) {
  alarm(60);
  for (int fd = 0; fd <= 2; fd++) close(fd);
  if (mettle_device_open("host", &dev, &err) != METTLE_OK) return 2;
  mettle_Kernel *k = take(store_source, NULL);
  if (k == NULL) return 3;
  for (int fd = 0; fd <= 2; fd++)
    if (fcntl(fd, F_GETFD) < 0 || write(fd, "leak", 4) >= 0) return 4;
  mettle_kernel_free(k);
  return 0;
}

static void test_closed_files(void) {
  int how = 1;
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) _exit(use_without_files());
  waitpid(child, &how, 0);
  ok(how == 0, "a program whose standard files are closed");
}

/* --------------------------------------------------------------- signals */

static sigjmp_buf back;
static volatile sig_atomic_t urgent;
static void on_fault(int signal) {
  (void)signal;
  siglongjmp(back, 1);
}
static void on_urgent(int signal) { urgent = signal; }

/* The program survives its own faults by its own handler, before and after the
** library has one. */
static void test_signals(void) {
  struct sigaction mine = {.sa_handler = on_fault, .sa_flags = SA_NODEFER};
  struct sigaction urg = {.sa_handler = on_urgent};
  volatile int survived = 0;
  sigaction(SIGSEGV, &mine, NULL);
  sigaction(SIGURG, &urg, NULL);
  test_faults();
  for (volatile int i = 0; i < 3; i++)
    if (sigsetjmp(back, 1)) survived++;
    else *(volatile int *)8 = 1;
  ok(survived == 3, "faults of the program go to its own handler");
  raise(SIGURG);
  ok(urgent == SIGURG, "and so does SIGURG");
}

static void test_constants(void) {
  mettle_Library *lib;
  mettle_ConstantInfo c;
  mettle_library_new(dev, scale_source, strlen(scale_source), NULL, &lib, NULL,
                     &err);
  ok(mettle_library_constant(lib, 0, &c) == METTLE_OK && c.index == 3 &&
         c.size == 4 && strcmp(c.type, "float") == 0 && c.components == 1 &&
         mettle_library_constant(lib, 1, &c) == METTLE_BADARG,
     "function constants are listed with their types");
  mettle_library_free(lib);
}

int main(void) {
  test_closed_files(); /* before there is a thread */
  test_devices();
  test_compile();
  test_arguments();
  test_constants();
  test_cases();
  test_sequence();
  test_texture();
  test_signals();
  test_endless();
  test_check();
  test_unordered();
  test_profile();
  test_threads();
  test_checks_at_once();
  test_fork();
  mettle_device_close(dev);
  printf("1..%d\n", number);
  return failures != 0;
}
