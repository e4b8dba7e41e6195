/*
** test_check.c - the checker's engine: each kind of mistake is found, with its
** line, and its corrected twin is silent; as vectors and thread by thread.
**
** Guards: devices/check.h, devices/host/{definedness, instrument, lower, probe,
** sites}, devices/host/check: each kind of mistake is found with its line, its
** corrected twin is clean, both engines; Ctrl-C while outputs are looked
** through; devices/check.c,
** devices/host/check/{barriers, bounds, check, findings, matrix_access, race,
** schedules, shadow_pages, texture_bounds, unchecked}.c,
** devices/host/instrument/{alignment, arithmetic, check, live_registers,
** matrix, private_variables, subobject_bounds, texels}.c,
** devices/host/definedness/variables.c,
** devices/host/lower/{lanes, lower, threadgroup_reads}.c,
** devices/host/probe/{probe_calls, roots}.c, devices/host/sites/sites.c
*/
#include <pthread.h>
#include <unistd.h>

#include "base/cancel.h"
#include "devices/check.h"
#include "tests/c/host_case.h"

#define HEAD                                                                  \
  "#include <metal_stdlib>\nusing namespace metal;\n"                         \
  "kernel void k(device float *a [[buffer(0)]], device float *out "           \
  "[[buffer(1)]],"                                                            \
  " device atomic_uint *count [[buffer(2)]], constant uint &n [[buffer(3)]]," \
  " uint i [[thread_position_in_grid]],"                                      \
  " uint t [[thread_index_in_threadgroup]],"                                  \
  " uint g [[threadgroup_position_in_grid]],"                                 \
  " uint lane [[thread_index_in_simdgroup]],"                                 \
  " uint sg [[simdgroup_index_in_threadgroup]]) {\n"
#define FIRST 4 /* line of a body's first line */
#define LENGTH 256 /* floats of a and out */

typedef struct Case {
  const char *body;
  mt_FindingKind kind; /* MT_FINDING_KINDS: nothing is to be found */
  unsigned line;       /* of the body, from 1 */
  unsigned grid, group;
} Case;

#define CLEAN(body) {body, MT_FINDING_KINDS, 0, 256, 64}

static void print_findings(const mt_CheckReport *r) {
  for (size_t i = 0; i < r->count; i++) {
    const mt_Finding *f = &r->findings[i];
    print_message("  %s line %u (%u) %s[%lld] of %llu, %llu times %s\n",
                  mt_finding_name(f->kind), f->place.line, f->other.line,
                  f->name ? f->name : "?", (long long)f->index,
                  (unsigned long long)f->length, (unsigned long long)f->count,
                  f->detail);
  }
}

static mt_CheckOptions options = {.seed = 1};

static void check_body(const Case *c, mt_CheckReport *out) {
  char source[8192];
  snprintf(source, sizeof source, "%s%s }\n", HEAD, c->body);
  mt_Kernel *k = host_kernel(source, "k");
  const mt_KernelInfo *info = mt_kernel_info(k);
  mt_Buffer *a = host_buffer(LENGTH * 4), *o = host_buffer(LENGTH * 4),
            *count = host_buffer(64 * 4);
  for (int i = 0; i < LENGTH; i++)
    ((float *)a->contents)[i] = (float)(i * 7919 % 1009) + 0.5f;
  uint32_t n = LENGTH;
  mt_Arg args[16];
  memset(args, 0, sizeof args);
  mt_Buffer *buffers[] = {a, o, count};
  for (unsigned i = 0; i < 3; i++)
    args[i] = (mt_Arg){.kind = MT_ARG_BUFFER, .buffer = buffers[i],
                       .size = buffers[i]->size};
  args[3] = (mt_Arg){.kind = MT_ARG_BYTES, .bytes = &n, .size = sizeof n};
  mt_Launch l = {.kernel = k, .args = args, .arg_count = info->param_count,
                 .grid = {c->grid, 1, 1}, .group = {c->group, 1, 1},
                 .repeats = 1, .time_limit = 20};
  if (mt_check(&l, &options, out, &error) != MT_OK)
    fail_msg("%s\n%s", error.text, c->body);
  for (unsigned i = 0; i < 3; i++) mt_buffer_free(buffers[i]);
  mt_kernel_free(k);
}

static void try_case(const Case *c) {
  for (int way = 0; host_way(way); way++) {
    mt_CheckReport r;
    check_body(c, &r);
    bool found = false;
    for (size_t i = 0; i < r.count; i++)
      if (r.findings[i].kind == c->kind &&
          r.findings[i].place.line == FIRST - 1 + c->line)
        found = true;
    bool good = c->kind == MT_FINDING_KINDS ? r.count == 0 : found;
    if (!good) {
      print_findings(&r);
      fail_msg("%s, %s at %u:\n%s", way ? "vectors" : "threads",
               c->kind == MT_FINDING_KINDS ? "silence"
                                           : mt_finding_name(c->kind),
               FIRST - 1 + c->line, c->body);
    }
    mt_check_free(&r);
  }
}

static void try_all(const Case *c, size_t n) {
  for (size_t i = 0; i < n; i++) try_case(&c[i]);
}
#define TRY(list) try_all(list, sizeof list / sizeof *list)

/* ------------------------------------------------------------ out of bounds */

static void test_bounds(void **state) {
  (void)state;
  static const Case cases[] = {
      {"out[i] = a[i + 1];", MT_FIND_OUT_OF_BOUNDS, 1, 256, 64},
      {"int j = int(i) - 1;\nout[i] = a[j];", MT_FIND_OUT_OF_BOUNDS, 2, 256,
       64},
      {"out[i] = a[i];", MT_FIND_OUT_OF_BOUNDS, 1, 300, 64},
      {"if (i > n) return;\nout[i] = 1;", MT_FIND_OUT_OF_BOUNDS, 2, 300, 64},
      {"out[i * 1000003] = 1;", MT_FIND_OUT_OF_BOUNDS, 1, 256, 64},
      {"threadgroup float tile[64];\ntile[t + 1] = a[i];\n"
       "threadgroup_barrier(mem_flags::mem_threadgroup);\nout[i] = tile[t];",
       MT_FIND_OUT_OF_BOUNDS, 2, 256, 64},
      {"float h[4];\nfor (int j = 0; j <= 4; j++) h[j] = a[i];\n"
       "out[i] = h[int(a[i]) % 4];", MT_FIND_OUT_OF_BOUNDS, 2, 256, 64},
      {"float h[4] = {1, 2, 3, 4};\nout[i] = h[(i & 3) + 1];",
       MT_FIND_OUT_OF_BOUNDS, 2, 256, 64},
      {"atomic_fetch_add_explicit(&count[i], 1, memory_order_relaxed);",
       MT_FIND_OUT_OF_BOUNDS, 1, 256, 64},
      {"device float *p = i & 1 ? a : out;\nout[i] = p[i + 4096];",
       MT_FIND_OUT_OF_BOUNDS, 2, 256, 64},
      CLEAN("out[i] = i + 1 < n ? a[i + 1] : 0;"),
      CLEAN("float h[4] = {1, 2, 3, 4};\nout[i] = h[i & 3];"),
      CLEAN("device float *p = i & 1 ? a : out;\nout[i] = p[i];"),
      CLEAN("if (i > 0) out[i] = a[i - 1];"),
      {"if (i >= n) return;\nout[i] = a[i];", MT_FINDING_KINDS, 0, 300, 64},
  };
  TRY(cases);
}

static void test_bounds_details(void **state) {
  (void)state;
  Case c = {"out[i] = a[int(i) - 5];", MT_FIND_OUT_OF_BOUNDS, 1, 256, 64};
  for (int way = 0; host_way(way); way++) {
    mt_CheckReport r;
    check_body(&c, &r);
    assert_int_equal(r.count, 1);
    const mt_Finding *f = &r.findings[0];
    assert_string_equal(f->name, "a");
    assert_int_equal(f->index, -5);
    assert_int_equal(f->length, LENGTH);
    assert_int_equal(f->count, 5);
    assert_int_equal(f->how, MT_HOW_READ);
    assert_int_equal(f->space, MT_SPACE_DEVICE);
    assert_int_equal(f->thread_count, 4);
    assert_int_equal(f->threads[2].grid[0], 2);
    assert_int_equal(f->threads[2].lane, 2);
    mt_check_free(&r);
  }
}

/* -------------------------------------------------------------------- races */

static void test_races(void **state) {
  (void)state;
  static const Case cases[] = {
      {"out[0] += a[i];", MT_FIND_RACE, 1, 256, 64},
      {"out[i / 2] = a[i];", MT_FIND_RACE, 1, 256, 64},
      {"out[t] = a[i];", MT_FIND_RACE, 1, 256, 64},
      {"a[i] = a[(i + 1) % n];", MT_FIND_RACE, 1, 256, 64},
      {"a[i] = a[(i + 64) % n];", MT_FIND_RACE, 1, 256, 64},
      {"threadgroup float s[64];\ns[t] = a[i];\nout[i] = s[63 - t];",
       MT_FIND_RACE, 3, 256, 64},
      {"threadgroup float s[64];\ns[t] = a[i];\n"
       "threadgroup_barrier(mem_flags::mem_threadgroup);\n"
       "for (uint d = 32; d > 0; d /= 2) {\n"
       "if (t < d) s[t] += s[t + d];\n}\nif (t == 0) out[g] = s[0];",
       MT_FIND_RACE, 5, 256, 64},
      {"threadgroup float s[64];\ns[t] = a[i];\n"
       "threadgroup_barrier(mem_flags::mem_none);\nout[i] = s[63 - t];",
       MT_FIND_RACE, 4, 256, 64},
      {"out[i] = a[i];\nthreadgroup_barrier(mem_flags::mem_threadgroup);\n"
       "a[i] = out[i ^ 1];", MT_FIND_RACE, 3, 256, 64},
      {"threadgroup atomic_uint c;\nif (t == 0) atomic_store_explicit(&c, 0, "
       "memory_order_relaxed);\n"
       "threadgroup_barrier(mem_flags::mem_threadgroup);\n"
       "atomic_fetch_add_explicit(&c, 1, memory_order_relaxed);\n"
       "out[i] = ((threadgroup uint *)&c)[0];", MT_FIND_RACE, 5, 256, 64},
      CLEAN("out[i] = a[i];\nthreadgroup_barrier(mem_flags::mem_device);\n"
            "a[i] = out[i ^ 1];"),
      CLEAN("threadgroup float s[64];\ns[t] = a[i];\n"
            "threadgroup_barrier(mem_flags::mem_threadgroup);\n"
            "out[i] = s[63 - t];"),
      CLEAN("threadgroup float s[64];\ns[t] = a[i];\n"
            "threadgroup_barrier(mem_flags::mem_threadgroup);\n"
            "for (uint d = 32; d > 0; d /= 2) {\nif (t < d) s[t] += s[t + d];\n"
            "threadgroup_barrier(mem_flags::mem_threadgroup);\n}\n"
            "if (t == 0) out[g] = s[0];"),
      CLEAN("atomic_fetch_add_explicit(count, 1, memory_order_relaxed);"),
      CLEAN("out[0] = 1;"),
      CLEAN("threadgroup float s[64];\ns[t] = a[i];\n"
            "simdgroup_barrier(mem_flags::mem_threadgroup);\n"
            "out[i] = s[t ^ 1];"),
      CLEAN("a[i] += 1; a[i] *= 2;"),
  };
  TRY(cases);
}

static void test_race_details(void **state) {
  (void)state;
  Case c = {"threadgroup float s[64];\ns[t] = a[i];\n"
            "threadgroup_barrier(mem_flags::mem_device);\nout[i] = s[63 - t];",
            MT_FIND_RACE, 4, 256, 64};
  for (int way = 0; host_way(way); way++) {
    mt_CheckReport r;
    check_body(&c, &r);
    assert_int_equal(r.count, 1);
    const mt_Finding *f = &r.findings[0];
    assert_string_equal(f->name, "s");
    assert_int_equal(f->place.line, FIRST + 3);
    assert_int_equal(f->other.line, FIRST + 1);
    assert_int_equal(f->how, MT_HOW_READ);
    assert_int_equal(f->other_how, MT_HOW_WRITE);
    assert_true(f->flags);
    assert_int_equal(f->apart, MT_APART_SIMDGROUPS);
    assert_int_equal(f->count, 256);
    assert_int_equal(f->threads[0].local[0] + f->threads[1].local[0], 63);
    mt_check_free(&r);
  }
}

/* ------------------------------------------------------------- all the rest */

static void test_barriers(void **state) {
  (void)state;
  static const Case cases[] = {
      {"if (t < 40)\nthreadgroup_barrier(mem_flags::mem_none);",
       MT_FIND_DIVERGENT_BARRIER, 2, 256, 64},
      {"if (i >= 250) return;\nout[i] = 1;\n"
       "threadgroup_barrier(mem_flags::mem_device);",
       MT_FIND_DIVERGENT_BARRIER, 3, 256, 64},
      {"if (sg == 0)\nthreadgroup_barrier(mem_flags::mem_none);",
       MT_FIND_DIVERGENT_BARRIER, 2, 256, 64},
      {"for (uint j = 0; j < t; j++)\n"
       "threadgroup_barrier(mem_flags::mem_none);", MT_FIND_DIVERGENT_BARRIER,
       2, 256, 64},
      {"if (lane < 16)\nsimdgroup_barrier(mem_flags::mem_none);",
       MT_FIND_DIVERGENT_BARRIER, 2, 256, 64},
      CLEAN("if (g == 0)\nthreadgroup_barrier(mem_flags::mem_none);"),
      CLEAN("simdgroup_barrier(mem_flags::mem_none);"),
      {"threadgroup_barrier(mem_flags::mem_none);\nif (i < n) out[i] = 1;",
       MT_FINDING_KINDS, 0, 300, 64},
  };
  TRY(cases);
}

static void test_arithmetic(void **state) {
  (void)state;
  static const Case cases[] = {
      {"out[i] = float(100 / int(i));", MT_FIND_DIVISION_BY_ZERO, 1, 256, 64},
      {"out[i] = float(i % (i & 7));", MT_FIND_DIVISION_BY_ZERO, 1, 256, 64},
      {"out[i] = float(1u << i);", MT_FIND_SHIFT, 1, 256, 64},
      {"int4 v = int4(int(i));\nv = 7 / (v - 3);\nout[i] = v.x;",
       MT_FIND_DIVISION_BY_ZERO, 2, 256, 64},
      CLEAN("out[i] = float(100 / int(i + 1));"),
      CLEAN("out[i] = float(1u << (i & 31));"),
      CLEAN("out[i] = 1.0f / float(i);"),
  };
  TRY(cases);
}

static void test_unset(void **state) {
  (void)state;
  static const Case cases[] = {
      {"threadgroup float s[64];\nif (t > 0) s[t] = 1;\n"
       "threadgroup_barrier(mem_flags::mem_threadgroup);\nout[i] = s[63 - t];",
       MT_FIND_UNINITIALISED, 4, 256, 64},
      CLEAN("threadgroup float s[64];\ns[t] = 1;\n"
            "threadgroup_barrier(mem_flags::mem_threadgroup);\n"
            "out[i] = s[63 - t];"),
      {"float sum;\nfor (uint j = 0; j < 4; j++)\nsum += a[j];\n"
       "out[i] = sum;", MT_FIND_UNINITIALISED, 3, 256, 64},
      {"float x;\nif (a[i] > 500) x = 2;\nout[i] = x;",
       MT_FIND_UNINITIALISED, 3, 256, 64},
      {"float4 v;\nv.x = 1; v.y = 2; v.z = 3;\nout[i] = v.w;",
       MT_FIND_UNINITIALISED, 3, 256, 64},
      {"int j;\nif (i & 1) j = 3;\nif (j > 2)\nout[i] = 1;",
       MT_FIND_UNINITIALISED, 3, 256, 64},
      {"float h[8];\nfor (uint j = 1; j < 8; j++) h[j] = a[j];\n"
       "out[i] = h[i & 7];", MT_FIND_UNINITIALISED, 3, 256, 64},
      {"int j;\nout[i] = a[j & 7];", MT_FIND_UNINITIALISED, 2, 256, 64},
      CLEAN("float4 v;\nv.x = 1; v.y = 2;\nfloat4 u = v;\nu.zw = v.xy;\n"
            "out[i] = u.w + v.y;"),
      CLEAN("float h[8];\nfor (uint j = 0; j < 8; j++) h[j] = a[j];\n"
            "out[i] = h[i & 7];"),
      CLEAN("struct P { float x, y; bool ok; };\nP p; p.x = a[i];\nP q = p;\n"
            "q.y = 1;\nout[i] = q.x + q.y;"),
      CLEAN("float x;\nif (i & 1) x = 2;\nif (i & 1) out[i] = x;"),
      CLEAN("float x;\nfor (uint j = 0; j < 3; j++) { float y = j; x = y; }\n"
            "out[i] = x;"),
      CLEAN("float3 v; v.x = 1; v.y = 2; v.z = 3;\nout[i] = length(v);"),
  };
  TRY(cases);
}

static void test_alignment(void **state) {
  (void)state;
  static const Case cases[] = {
      {"if (i < 60)\nout[i] = ((device float4 *)(a + i))->x;",
       MT_FIND_MISALIGNED, 2, 256, 64},
      CLEAN("if (i < 64)\nout[i] = ((device float4 *)a)[i].x;"),
  };
  TRY(cases);
}

static void test_lanes(void **state) {
  (void)state;
  static const Case cases[] = {
      {"float v = a[i];\nif (lane < 16) v += simd_shuffle_down(v, 16);\n"
       "out[i] = v;", MT_FIND_INACTIVE_LANE, 2, 256, 64},
      {"float v = a[i];\nif (lane & 1) v = simd_broadcast(v, 0);\n"
       "out[i] = v;", MT_FIND_INACTIVE_LANE, 2, 256, 64},
      {"out[i] = simd_shuffle(a[i], 40);", MT_FIND_INACTIVE_LANE, 1, 256, 64},
      CLEAN("float v = a[i];\n"
            "for (uint d = 16; d > 0; d /= 2) v += simd_shuffle_down(v, d);\n"
            "if (lane == 0) out[i / 32] = v;"),
      {"float v = a[i];\n"
       "for (uint d = 8; d > 0; d /= 2) v += simd_shuffle_down(v, d);\n"
       "if (lane == 0) out[g] = v;", MT_FINDING_KINDS, 0, 256, 16},
      CLEAN("out[i] = simd_shuffle_xor(a[i], 1) + simd_sum(a[i]);"),
  };
  TRY(cases);
}

static void test_coverage(void **state) {
  (void)state;
  static const bool outputs[16] = {false, true};
  static const Case cases[] = {
      {"out[i] = a[i];", MT_FIND_COVERAGE, 1, 250, 64},
      {"if (i & 1) out[i] = a[i];", MT_FIND_COVERAGE, 1, 256, 64},
      {"out[i / 2] = 1; out[i / 2 + 128] = 1;", MT_FIND_COVERAGE, 1, 256, 64},
      /* the first half of each element, or the second */
      {"((device ushort *)out)[2 * i] = i;", MT_FIND_COVERAGE, 1, 256, 64},
      {"((device ushort *)out)[2 * i + 1] = i;", MT_FIND_COVERAGE, 1, 256, 64},
      CLEAN("((device ushort *)out)[2 * i] = i;"
            "((device ushort *)out)[2 * i + 1] = i;"),
      CLEAN("out[i] = a[i];"),
  };
  options.outputs = outputs;
  TRY(cases);
  options.outputs = NULL;
}

/* One byte of one element is missing: that element is, and no other. */
static void test_coverage_details(void **state) {
  (void)state;
  static const bool outputs[16] = {false, true};
  options.outputs = outputs;
  for (int byte = 0; byte < 4; byte++)
    for (int element = 0; element < 256; element += 85) {
      char body[256];
      snprintf(body, sizeof body, "for (uint k = 0; k < 4; k++)\n"
               "if (i != %d || k != %d) ((device uchar *)out)[4 * i + k] = k;",
               element, byte);
      Case c = {body, MT_FIND_COVERAGE, 2, 256, 64};
      mt_CheckReport r;
      check_body(&c, &r);
      assert_int_equal(r.count, 1);
      assert_int_equal(r.findings[0].kind, MT_FIND_COVERAGE);
      assert_int_equal(r.findings[0].index, element);
      assert_int_equal(r.findings[0].count, 1);
      mt_check_free(&r);
    }
  options.outputs = NULL;
}

static void test_unwritten(void **state) {
  (void)state;
  static const bool written[16] = {true, false, true, true};
  static const Case cases[] = {
      {"out[i] += a[i];", MT_FIND_UNINITIALISED, 1, 256, 64},
      CLEAN("out[i] = a[i];\nout[i] += 1;"),
  };
  options.written = written;
  TRY(cases);
  options.written = NULL;
}

static void test_schedules(void **state) {
  (void)state;
  static const Case cases[] = {
      {"int at = atomic_fetch_add_explicit(count, 1, memory_order_relaxed);\n"
       "out[at] = a[i] * at;", MT_FIND_SCHEDULE, 2, 256, 64},
      CLEAN("out[atomic_fetch_add_explicit(count, 1, memory_order_relaxed)] = "
            "a[i];"),
      {"if (a[i] > 500) out[0] = a[i];", MT_FIND_SCHEDULE, 1, 256, 64},
      CLEAN("out[i] = a[i] * 2; a[i] += 1;"),
      CLEAN("atomic_fetch_add_explicit(count, i, memory_order_relaxed);"),
  };
  options.schedules = 3;
  TRY(cases);
  options.schedules = 0;
}

static void test_schedule_replay(void **state) {
  (void)state;
  Case c = {"int at = atomic_fetch_add_explicit(count, 1, "
            "memory_order_relaxed);\nout[at] = a[i] * at;",
            MT_FIND_SCHEDULE, 2, 256, 64};
  mt_CheckReport r, again;
  host_way(1);
  options.schedules = 4;
  check_body(&c, &r);
  const mt_Finding *f = NULL;
  for (size_t i = 0; i < r.count; i++)
    if (r.findings[i].kind == MT_FIND_SCHEDULE) f = &r.findings[i];
  assert_non_null(f);
  options.schedules = 1, options.seed = f->value;
  check_body(&c, &again);
  assert_int_equal(again.count, 1);
  assert_int_equal(again.findings[0].index, f->index);
  assert_string_equal(again.findings[0].detail, f->detail);
  options = (mt_CheckOptions){.seed = 1};
  mt_check_free(&r);
  mt_check_free(&again);
}

/* ------------------------------------------------------------------- Ctrl-C */

#define LONG (64u << 20) /* bytes that are looked through after the run */

/* Ctrl-C soon after the kernel has written, when the buffer is looked
** through. */
static void *cancel_when_written(void *out) {
  while (!*(volatile char *)out) usleep(500);
  usleep(5000);
  mt_cancel_request();
  return NULL;
}

static void test_cancel(void **state) {
  (void)state;
  mt_Kernel *k = host_kernel(
      MSL(kernel void one(device uchar *out [[buffer(0)]],
                          uint i [[thread_position_in_grid]]) {
        out[i * 7] = 1; }),
      "one");
  mt_Buffer *out = host_buffer(LONG);
  mt_Arg args[2] = {{.kind = MT_ARG_BUFFER, .buffer = out, .size = LONG}};
  mt_Launch l = {.kernel = k, .args = args, .arg_count = 2, .grid = {64, 1, 1},
                 .group = {64, 1, 1}, .repeats = 1};
  mt_CheckOptions guess = {.seed = 1, .guess = true};
  mt_CheckReport r;
  pthread_t thread;
  pthread_create(&thread, NULL, cancel_when_written, out->contents);
  mt_Status status = mt_check(&l, &guess, &r, &error);
  pthread_join(thread, NULL);
  mt_cancel_clear();
  assert_int_equal(status, MT_CANCELLED);
  mt_check_free(&r);
  mt_buffer_free(out);
  mt_kernel_free(k);
}

/* ------------------------------------------------------------------- misuse */

/* A launch that would be refused is refused, in its words, and not begun; no
** options and no message are fine. */
static void test_wrong_launch(void **state) {
  (void)state;
  mt_Kernel *k = host_kernel(
      MSL(kernel void one(device uchar *out [[buffer(0)]],
                          uint i [[thread_position_in_grid]]) { out[i] = 1; }),
      "one");
  mt_Buffer *out = host_buffer(64);
  mt_Arg args[2] = {{.kind = MT_ARG_BUFFER, .buffer = out, .size = 64}};
  mt_Launch l = {.kernel = k, .args = args, .arg_count = 2, .grid = {64, 1, 1},
                 .group = {4096, 1, 1}, .repeats = 1};
  mt_Error said = {""};
  mt_CheckReport r;
  assert_int_equal(mt_launch_check(&l, &said), MT_BADARG);
  assert_int_equal(mt_check(&l, NULL, &r, &error), MT_BADARG);
  assert_string_equal(error.text, said.text);
  assert_int_equal(r.count, 0);
  assert_int_equal(*(char *)out->contents, 0);
  assert_int_equal(mt_check(&l, NULL, &r, NULL), MT_BADARG);
  l.group = (mt_Size){64, 1, 1};
  assert_int_equal(mt_check(&l, NULL, &r, NULL), MT_OK);
  assert_int_equal(*(char *)out->contents, 1);
  mt_check_free(&r);
  mt_buffer_free(out);
  mt_kernel_free(k);
}

/* --------------------------------------------------------------- too much */

/* Threadgroup memory over the limit is a finding, and nothing is run. */
static void test_too_much_memory(void **state) {
  (void)state;
  mt_Kernel *k = host_kernel(
      MSL(kernel void fill(device uint *out [[buffer(0)]],
                           threadgroup uint *tile [[threadgroup(0)]]) {
        threadgroup uint own[8];
        own[0] = tile[0] = 1;
        out[0] = own[0] + tile[0]; }),
      "fill");
  size_t limit = mt_device_info(host)->max_threadgroup_memory;
  mt_Buffer *out = host_buffer(64);
  for (size_t over = 0; over <= 32; over += 32) {
    mt_Arg args[2] = {{.kind = MT_ARG_BUFFER, .buffer = out, .size = 64},
                      {.kind = MT_ARG_THREADGROUP, .size = limit - 32 + over}};
    mt_Launch l = {.kernel = k, .args = args, .arg_count = 2, .grid = {1, 1, 1},
                   .group = {1, 1, 1}, .repeats = 1};
    mt_CheckReport r;
    *(uint32_t *)out->contents = 0;
    assert_int_equal(mt_check(&l, &options, &r, &error), MT_OK);
    assert_int_equal(r.count, over != 0);
    assert_int_equal(*(uint32_t *)out->contents, over ? 0 : 2);
    if (over) {
      assert_int_equal(r.findings[0].kind, MT_FIND_THREADGROUP_MEMORY);
      assert_int_equal(r.findings[0].value, limit + over);
      assert_int_equal(r.findings[0].expected, limit);
    }
    mt_check_free(&r);
  }
  mt_buffer_free(out);
  mt_kernel_free(k);
}

/* Of the parameters after the 64th none is an output. */
#define PARAMETERS 70
static void test_many_parameters(void **state) {
  (void)state;
  char source[PARAMETERS * 64 + 200];
  size_t n = (size_t)snprintf(source, sizeof source,
                              "#include <metal_stdlib>\n"
                              "using namespace metal;\nkernel void k(");
  for (int i = 0; i < PARAMETERS; i++)
    n += (size_t)snprintf(source + n, sizeof source - n,
                          "%stexture2d<float, access::write> t%d "
                          "[[texture(%d)]]", i ? ", " : "", i, i);
  snprintf(source + n, sizeof source - n, ") { t64.write(1, uint2(0)); }\n");
  mt_Kernel *k = host_kernel(source, "k");
  mt_TextureDesc d = {.kind = MT_TEXTURE_2D, .format = MT_RGBA8UNORM,
                      .width = 2, .height = 2, .depth = 1, .layers = 1};
  mt_Arg args[PARAMETERS] = {{0}};
  bool named[PARAMETERS] = {false};
  named[64] = true;
  for (int i = 0; i < PARAMETERS; i++) {
    args[i].kind = MT_ARG_TEXTURE;
    assert_int_equal(mt_texture_new(host, &d, &args[i].texture, &error), MT_OK);
  }
  mt_Launch l = {.kernel = k, .args = args, .arg_count = PARAMETERS,
                 .grid = {1, 1, 1}, .group = {1, 1, 1}, .repeats = 1};
  mt_CheckOptions with = {.outputs = named};
  mt_CheckReport r;
  if (mt_check(&l, &with, &r, &error) != MT_OK) fail_msg("%s", error.text);
  assert_int_equal(r.outputs, 0);
  assert_int_equal(r.count, 0);
  mt_check_free(&r);
  for (int i = 0; i < PARAMETERS; i++) mt_texture_free(args[i].texture);
  mt_kernel_free(k);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_cancel),
      cmocka_unit_test(test_wrong_launch),
      cmocka_unit_test(test_bounds),
      cmocka_unit_test(test_bounds_details),
      cmocka_unit_test(test_races),
      cmocka_unit_test(test_race_details),
      cmocka_unit_test(test_barriers),
      cmocka_unit_test(test_arithmetic),
      cmocka_unit_test(test_unset),
      cmocka_unit_test(test_alignment),
      cmocka_unit_test(test_lanes),
      cmocka_unit_test(test_coverage),
      cmocka_unit_test(test_coverage_details),
      cmocka_unit_test(test_unwritten),
      cmocka_unit_test(test_schedules),
      cmocka_unit_test(test_schedule_replay),
      cmocka_unit_test(test_too_much_memory),
      cmocka_unit_test(test_many_parameters),
  };
  return cmocka_run_group_tests(tests, open_host, close_host);
}
