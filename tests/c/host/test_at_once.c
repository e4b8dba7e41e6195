/*
** test_at_once.c - two checks, two profiles and two recordings of one process
** at once, on two threads.
**
** The one idea: the two kernels wait for each other, by a count in a buffer
** that both have. One after the other they would wait until their time limit.
**
** Guards: devices/host/{check, profile, record}: what belongs to a launch is in
** its own context; devices/host/run/{dispatch, watchdog, progress}.c: launches
** of two threads; mt_device_take_turns in devices/device.c
*/
#include <pthread.h>

#include "devices/check.h"
#include "devices/profile.h"
#include "devices/record.h"
#include "tests/c/host_case.h"

#define MEET                                                         \
  "  atomic_fetch_add_explicit(met, 1, memory_order_relaxed);\n"     \
  "  while (atomic_load_explicit(met, memory_order_relaxed) < 2);\n" \
  "}\n"
#define HEAD                                                             \
  "#include <metal_stdlib>\nusing namespace metal;\n"                    \
  "kernel void k(device atomic_int *met, device int *out) {\n"
#define LINE 4 /* of what differs */
#define LENGTH 1000 /* ints; tiny buffers are checked in several runs */

static const char *const sources[] = {
    HEAD "  out[LENGTH + 1] = 7, out[0] = 1, out[2] = 1, out[4] = 1;\n" MEET,
    HEAD "  out[LENGTH + 5] = 7;\n  out[1] = 2;\n" MEET};

typedef struct Side {
  mt_Kernel *kernel;
  mt_Buffer *out;
  mt_Arg args[2];
  mt_Launch launch;
  mt_Status status;
  mt_Error err;
  mt_CheckReport check;
  mt_Profile profile;
  mt_Recording record;
} Side;

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static void leave(void) { pthread_mutex_unlock(&turn); }
static void enter(void) { pthread_mutex_lock(&turn); }

static void make_side(Side *s, const char *source, mt_Buffer *met) {
  mt_Define length = {"LENGTH", "1000"};
  mt_CompileOptions o = {.defines = &length, .define_count = 1};
  mt_Library *lib;
  mt_Str log = MT_STR_INIT;
  memset(s, 0, sizeof *s);
  if (mt_library_new(host, source, strlen(source), &o, &lib, &log, &error) ||
      mt_kernel_new(lib, "k", NULL, 0, &s->kernel, &error))
    fail_msg("%s\n%s", error.text, mt_str_text(&log));
  mt_library_free(lib);
  mt_str_free(&log);
  s->out = host_buffer(LENGTH * sizeof(int));
  s->args[0] = (mt_Arg){
      .kind = MT_ARG_BUFFER, .buffer = met, .size = met->size};
  s->args[1] = (mt_Arg){
      .kind = MT_ARG_BUFFER, .buffer = s->out, .size = s->out->size};
  s->launch = (mt_Launch){.kernel = s->kernel, .args = s->args, .arg_count = 2,
                          .grid = {1, 1, 1}, .group = {1, 1, 1}, .repeats = 1,
                          .time_limit = 20};
}

static void *check(void *side) {
  Side *s = side;
  enter();
  s->status = mt_check(&s->launch, NULL, &s->check, &s->err);
  leave();
  return NULL;
}

static void *profile(void *side) {
  Side *s = side;
  enter();
  s->status = mt_profile(&s->launch, &s->profile, &s->err);
  leave();
  return NULL;
}

static void *record(void *side) {
  Side *s = side;
  mt_RecordOptions o = {.events = 1000, .group = -1, .no_plain = true};
  enter();
  s->status = mt_record(&s->launch, &o, &s->record, &s->err);
  leave();
  return NULL;
}

/* Both at once; what they found is compared by 'look' and then freed. */
static void both(void *(*run)(void *), void (*look)(const Side *, int number)) {
  static Side side[2];
  pthread_t thread[2];
  mt_Buffer *met = host_buffer(LENGTH * sizeof(int));
  for (int i = 0; i < 2; i++) make_side(&side[i], sources[i], met);
  for (int i = 0; i < 2; i++) pthread_create(&thread[i], NULL, run, &side[i]);
  for (int i = 0; i < 2; i++) pthread_join(thread[i], NULL);
  for (int i = 0; i < 2; i++) {
    if (side[i].status != MT_OK) fail_msg("%s", side[i].err.text);
    look(&side[i], i);
    mt_check_free(&side[i].check);
    mt_profile_free(&side[i].profile);
    mt_recording_free(&side[i].record);
    mt_buffer_free(side[i].out);
    mt_kernel_free(side[i].kernel);
  }
  mt_buffer_free(met);
}

static void look_at_check(const Side *s, int number) {
  assert_int_equal(s->check.count, 1);
  assert_int_equal(s->check.findings[0].kind, MT_FIND_OUT_OF_BOUNDS);
  assert_int_equal(s->check.findings[0].index, LENGTH + (number ? 5 : 1));
}

static void test_checks(void **state) {
  (void)state;
  both(check, look_at_check);
}

/* (what is out of bounds is the same buffer's for the profiler) */
static void look_at_profile(const Side *s, int number) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < s->profile.line_count; i++)
    if (s->profile.lines[i].line < LINE + (number ? 2u : 1u))
      bytes += s->profile.lines[i].counts.device_write_bytes;
  assert_int_equal(bytes, number ? 8 : 16);
}

static void test_profiles(void **state) {
  (void)state;
  both(profile, look_at_profile);
}

static void look_at_record(const Side *s, int number) {
  size_t writes = 0;
  for (size_t i = 0; i < s->record.count; i++) {
    mt_EventKind kind = s->record.sites[s->record.events[i].site].kind;
    writes += kind == MT_EVENT_WRITE;
  }
  assert_int_equal(writes, number ? 2 : 4);
}

static void test_recordings(void **state) {
  (void)state;
  both(record, look_at_record);
}

/* The processes that compile belong to the thread that starts them. */
static int start(void **state) {
  if (open_host(state)) return -1;
  mt_Kernel *k = host_kernel(MSL(kernel void k(device int *x) { x[0] = 1; }),
                             "k");
  mt_Buffer *b = host_buffer(4), *const all[] = {b};
  mt_Size one = {1, 1, 1};
  int status = host_run(k, one, one, 20, all);
  mt_buffer_free(b);
  mt_kernel_free(k);
  mt_device_take_turns(leave, enter);
  return status;
}

static int end(void **state) {
  mt_device_take_turns(NULL, NULL);
  return close_host(state);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_checks),
      cmocka_unit_test(test_profiles),
      cmocka_unit_test(test_recordings),
  };
  return cmocka_run_group_tests_name("at once", tests, start, end);
}
