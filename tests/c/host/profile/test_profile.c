/*
** test_profile.c - the profiler's engine: kernels whose numbers can be worked
** out by hand.
**
** Guards: devices/profile.h, devices/host/instrument, devices/host/profile:
** kernels whose lines, banks, lanes, atomics and operations are worked out by
** hand; devices/profile.c, devices/host/profile/{counters, profile}.c,
** devices/host/instrument/profile.c
*/
#include "devices/profile.h"
#include "tests/c/host_case.h"

#define HEAD                                                                  \
  "#include <metal_stdlib>\nusing namespace metal;\n"                         \
  "kernel void k(device float *a [[buffer(0)]], device float *out "           \
  "[[buffer(1)]],"                                                            \
  " device atomic_uint *count [[buffer(2)]], constant uint &n [[buffer(3)]]," \
  " uint i [[thread_position_in_grid]],"                                      \
  " uint t [[thread_index_in_threadgroup]],"                                  \
  " uint lane [[thread_index_in_simdgroup]]) {\n"
#define FIRST 4 /* line of a body's first line */
#define THREADS 256
#define SIMDGROUPS (THREADS / 32)
#define LENGTH 16384 /* floats of a and out */

static mt_Profile profile_of(const char *body) {
  char source[4096];
  snprintf(source, sizeof source, "%s%s }\n", HEAD, body);
  mt_Kernel *k = host_kernel(source, "k");
  mt_Buffer *buffers[] = {host_buffer(LENGTH * 4), host_buffer(LENGTH * 4),
                          host_buffer(64 * 4)};
  uint32_t n = LENGTH;
  mt_Arg args[16];
  memset(args, 0, sizeof args);
  for (unsigned i = 0; i < 3; i++)
    args[i] = (mt_Arg){.kind = MT_ARG_BUFFER, .buffer = buffers[i],
                       .size = buffers[i]->size};
  args[3] = (mt_Arg){.kind = MT_ARG_BYTES, .bytes = &n, .size = sizeof n};
  mt_Launch l = {.kernel = k, .args = args,
                 .arg_count = mt_kernel_info(k)->param_count,
                 .grid = {THREADS, 1, 1}, .group = {64, 1, 1}, .repeats = 1,
                 .time_limit = 20};
  mt_Profile p;
  if (mt_profile(&l, &p, &error) != MT_OK) fail_msg("%s\n%s", error.text, body);
  for (unsigned i = 0; i < 3; i++) mt_buffer_free(buffers[i]);
  mt_kernel_free(k);
  assert_int_equal(p.threads, THREADS);
  assert_int_equal(p.groups, THREADS / 64);
  assert_int_equal(p.simdgroups, SIMDGROUPS);
  return p;
}

static mt_Counts total_of(const char *body) {
  mt_Profile p = profile_of(body);
  mt_Counts c = p.total;
  mt_profile_free(&p);
  return c;
}

static uint64_t sum(const uint64_t *counts) {
  uint64_t all = 0;
  for (int i = 0; i < MT_COUNT_KINDS; i++) all += counts[i];
  return all;
}

static void copies_side_by_side(void **state) {
  (void)state;
  mt_Profile p = profile_of("out[i] = a[i];");
  mt_Counts c = p.total;
  assert_int_equal(c.device_reads, THREADS);
  assert_int_equal(c.device_writes, THREADS);
  assert_int_equal(c.device_read_bytes, THREADS * 4);
  assert_int_equal(c.lines, 2 * SIMDGROUPS);
  assert_int_equal(c.lines_ideal, 2 * SIMDGROUPS);
  assert_int_equal(p.unique_bytes, 2 * THREADS * 4);
  assert_int_equal(sum(c.lanes), 32 * sum(c.issued));
  assert_int_equal(c.issued[MT_COUNT_MEMORY], 2 * SIMDGROUPS);
  assert_int_equal(c.branches + c.divergent + c.banks + c.atomics, 0);
  assert_int_equal(p.line_count, 1);
  assert_int_equal(p.lines[0].line, FIRST);
  mt_profile_free(&p);
}

static void strides_cost_lines(void **state) {
  (void)state;
  mt_Counts c = total_of("out[i] = a[i * 8];");
  assert_int_equal(c.lines, (8 + 1) * SIMDGROUPS);
  assert_int_equal(c.lines_ideal, 2 * SIMDGROUPS);
  c = total_of("out[i] = a[i * 32];");
  assert_int_equal(c.lines, (32 + 1) * SIMDGROUPS);
  c = total_of("out[i] = a[(i * 37) & 1023];"); /* no pattern that is known */
  assert_true(c.lines > 20 * SIMDGROUPS);
  c = total_of("out[i] = a[5];"); /* one place for all */
  assert_int_equal(c.lines, 2 * SIMDGROUPS);
  assert_int_equal(c.lines_ideal, 2 * SIMDGROUPS);
  assert_int_equal(c.device_reads, THREADS);
  c = total_of("((device float4 *)out)[i] = ((device float4 *)a)[i];");
  assert_int_equal(c.lines, 8 * SIMDGROUPS);
  assert_int_equal(c.lines_ideal, 8 * SIMDGROUPS);
  c = total_of("out[i] = a[i + 1];"); /* askew: one line more */
  assert_int_equal(c.lines, 3 * SIMDGROUPS);
}

/* What a mean hides: one thread in the place of all. */
static void the_busiest_thread(void **state) {
  (void)state;
  mt_Profile p = profile_of("out[i] = a[i];");
  assert_int_equal(p.busiest.device_reads, 1);
  assert_int_equal(p.busiest.device_writes, 1);
  assert_int_equal(p.busiest.instructions, sum(p.total.lanes) / THREADS);
  mt_profile_free(&p);
  /* thread 70 of the grid: in the second group */
  p = profile_of("if (i == 70) for (uint j = 0; j < 256; j++) out[j] = a[j];");
  assert_int_equal(p.busiest.device_reads, 256);
  assert_int_equal(p.busiest.device_writes, 256);
  assert_int_equal(p.total.device_reads, 256);
  assert_true(p.busiest.instructions > 256 * 2);
  mt_profile_free(&p);
  /* reads of one thread, writes of another; and one lane of many */
  p = profile_of("if (t == 33) { float v = 0;\n"
                 "for (uint j = 0; j < 9; j++) v += a[j * n / 32]; "
                 "out[i] = v; }\n"
                 "else if (t == 2) { out[i] = 1; out[i + 999] = 2; }");
  assert_int_equal(p.busiest.device_reads, 9);
  assert_int_equal(p.busiest.device_writes, 2);
  mt_profile_free(&p);
}

static void constants_are_apart(void **state) {
  (void)state;
  mt_Counts c = total_of("out[i] = n;");
  assert_int_equal(c.constant_reads, THREADS);
  assert_int_equal(c.device_reads, 0);
}

static void banks_queue(void **state) {
  (void)state;
  static const struct {
    const char *index;
    int passes;
  } cases[] = {{"lane", 1}, {"lane * 2", 2}, {"lane * 32", 32},
               {"lane * 33", 1}, {"0", 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char body[512];
    snprintf(body, sizeof body,
             "threadgroup float tile[2048];\n"
             "tile[t] = a[i];\n"
             "threadgroup_barrier(mem_flags::mem_threadgroup);\n"
             "out[i] = tile[%s];\n", cases[i].index);
    mt_Profile p = profile_of(body);
    assert_int_equal(p.total.banks, SIMDGROUPS * (1 + cases[i].passes));
    assert_int_equal(p.total.banks_ideal, SIMDGROUPS * 2);
    assert_int_equal(p.total.group_reads, THREADS);
    assert_int_equal(p.total.group_writes, THREADS);
    assert_int_equal(p.total.issued[MT_COUNT_BARRIER], SIMDGROUPS);
    assert_int_equal(p.total.lines, 2 * SIMDGROUPS);
    bool found = false;
    for (size_t l = 0; l < p.line_count; l++)
      if (p.lines[l].line == FIRST + 3)
        found = p.lines[l].counts.banks ==
                (uint64_t)SIMDGROUPS * (unsigned)cases[i].passes;
    assert_true(found);
    mt_profile_free(&p);
  }
}

#define TWO_WAYS(condition)                                                   \
  "float v = a[i];\n"                                                         \
  "if (" condition ") { for (uint r = 0; r < n / 512; r++) v = v * v + 1; }\n" \
  "else { for (uint r = 0; r < n / 512; r++) v = v * 0.5f; }\n"               \
  "out[i] = v;\n"

static void lanes_part(void **state) {
  (void)state;
  mt_Counts c = total_of(TWO_WAYS("i % 2 == 0"));
  assert_int_equal(c.divergent, SIMDGROUPS);
  assert_true(c.lanes[MT_COUNT_FLOAT] == 16 * c.issued[MT_COUNT_FLOAT]);
  uint64_t apart = sum(c.issued);
  c = total_of(TWO_WAYS("i / 32 % 2 == 0"));
  assert_int_equal(c.divergent, 0);
  assert_true(c.lanes[MT_COUNT_FLOAT] == 32 * c.issued[MT_COUNT_FLOAT]);
  assert_true(sum(c.issued) < apart * 6 / 10);
}

static void atomics_queue(void **state) {
  (void)state;
#define ADD(at) \
  "atomic_fetch_add_explicit(&count[" at "], 1u, memory_order_relaxed);"
  mt_Counts c = total_of(ADD("0"));
  assert_int_equal(c.atomics, THREADS);
  assert_int_equal(c.device_atomics, THREADS);
  assert_int_equal(c.atomics_worst, THREADS);
  c = total_of(ADD("lane"));
  assert_int_equal(c.atomics, THREADS);
  assert_int_equal(c.atomics_worst, SIMDGROUPS);
  c = total_of("threadgroup atomic_uint c[2];"
               "atomic_store_explicit(&c[t & 1], 0u, memory_order_relaxed);"
               "if (c) out[i] = 1;");
  assert_int_equal(c.device_atomics, 0);
}

static void operations_are_counted(void **state) {
  (void)state;
  mt_Counts c = total_of("out[i] = a[i] * 3.0f + 2.0f;");
  assert_int_equal(c.operations, 2 * THREADS);
  c = total_of("float s = 0; for (uint j = 0; j < n / 1024; j++)"
               " s = fma(s, a[i], 1.0f); out[i] = s;");
  assert_int_equal(c.operations, 2 * THREADS * (LENGTH / 1024));
  c = total_of("out[i] = a[i] / a[i + 1];");
  assert_int_equal(c.issued[MT_COUNT_SPECIAL], SIMDGROUPS);
  c = total_of("simdgroup_float8x8 m, r;"
               "simdgroup_load(m, a, 8); simdgroup_multiply(r, m, m);"
               "simdgroup_store(r, out, 8);");
  assert_int_equal(c.operations, 1024 * SIMDGROUPS);
  assert_int_equal(c.device_reads, 64 * SIMDGROUPS);
  assert_int_equal(c.device_writes, 64 * SIMDGROUPS);
  assert_int_equal(c.device_read_bytes, 64 * 4 * SIMDGROUPS);
}

static void guards_leave_lanes_idle(void **state) {
  (void)state;
  mt_Counts c = total_of("if (i < 200) out[i] = a[i] * a[i];");
  assert_int_equal(c.device_reads, 200);
  assert_int_equal(c.issued[MT_COUNT_MEMORY], 2 * 7); /* 200 are 6 and 8 / 32 */
  assert_int_equal(c.lanes[MT_COUNT_MEMORY], 2 * 200);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(copies_side_by_side),
      cmocka_unit_test(strides_cost_lines),
      cmocka_unit_test(the_busiest_thread),
      cmocka_unit_test(constants_are_apart),
      cmocka_unit_test(banks_queue),
      cmocka_unit_test(lanes_part),
      cmocka_unit_test(atomics_queue),
      cmocka_unit_test(operations_are_counted),
      cmocka_unit_test(guards_leave_lanes_idle),
  };
  return cmocka_run_group_tests(tests, open_host, close_host);
}
