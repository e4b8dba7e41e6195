/*
** test_fault_message.c - what a kernel's fault is called: the buffer that is
** nearest to the address, of parameters and of members of argument buffers, how
** far from it, and the words of every kind.
**
** Guards: devices/host/run/fault_message.c: the nearest buffer, among all or
** among some parameters, distances, places, each kind's sentence
*/
#include "devices/host/run/fault_message.h"
#include "devices/host/host.h"
#include "tests/c/host_case.h"

static const mt_Type scalar = {.name = "float", .size = 4};
static const mt_Type pointer = {.element = &scalar};

/* Buffers at addresses that nothing uses: parameter n, of 64 bytes, n << 36
** bytes further than the first. */
#define FIRST 0x100000000000u
#define FAR(n) (FIRST + ((uintptr_t)(n) << 36))
#define PARAMETERS 70

static mt_Kernel kernel;
static mt_Param params[PARAMETERS];
static mt_Arg args[PARAMETERS];
static mt_Buffer buffers[PARAMETERS + 2];
static char names[PARAMETERS][8];
static mt_Link links[2];
static mt_Launch launch;

static mt_Arg buffer_at(mt_Buffer *b, uintptr_t at, size_t size) {
  b->contents = (void *)at;
  b->size = size;
  return (mt_Arg){.kind = MT_ARG_BUFFER, .buffer = b, .size = size};
}

static int make_launch(void **state) {
  (void)state;
  for (unsigned i = 0; i < PARAMETERS; i++) {
    snprintf(names[i], sizeof names[i], "p%u", i);
    params[i] = (mt_Param){.name = names[i], .type = &scalar};
    args[i] = buffer_at(&buffers[i], FAR(i), 64);
  }
  links[0] = (mt_Link){.name = "scene.lights", .type = &pointer};
  links[1] = (mt_Link){.name = "scene.rays", .type = &pointer};
  links[0].arg = buffer_at(&buffers[PARAMETERS], FAR(100), 4096);
  links[1].arg = buffer_at(&buffers[PARAMETERS + 1], FAR(101), 4096);
  args[3] = (mt_Arg){.kind = MT_ARG_BYTES, .size = 16, .links = links,
                     .link_count = 2};
  kernel.info.name = "k";
  kernel.info.params = params;
  kernel.info.param_count = PARAMETERS;
  launch = (mt_Launch){.kernel = &kernel, .args = args,
                       .arg_count = PARAMETERS};
  return 0;
}

static const char *said(mt_Fault f) {
  assert_int_equal(mt_fault_report(&launch, &f, &error), MT_FAIL);
  return error.text;
}

static void says(uintptr_t address, uint64_t among, const char *text) {
  mt_Fault f = {.kind = MT_FAULT_ACCESS, .address = address, .params = among};
  if (!strstr(said(f), text))
    fail_msg("'%s' is not in: %s", text, error.text);
}

static void test_nearest(void **state) {
  (void)state;
  says(FAR(0) + 64, 0, "0 bytes (0 float) past the end of buffer 'p0', which "
                       "has 16");
  says(FAR(5) + 72, 0, "8 bytes (2 float) past the end of buffer 'p5'");
  says(FAR(5) - 3, 0, "3 bytes (1 float) before the start of buffer 'p5'");
  says(FAR(69) + 64, 0, "buffer 'p69'");
  says(FAR(100) + 4100, 0, "4 bytes (1 float) past the end of buffer "
                           "'scene.lights', which has 1024");
  says(FAR(101) - 8, 0, "8 bytes (2 float) before the start of buffer "
                        "'scene.rays'");
  args[5].offset = 16;
  says(FAR(5) + 8, 0, "8 bytes (2 float) before the start of buffer 'p5'");
  says(FAR(5) + 64, 0, "buffer 'p5', which has 12");
  args[5].offset = 0;
}

/* Those that the line may mean, however far they are. */
static void test_among(void **state) {
  (void)state;
  params[5].type = NULL;
  says(FAR(5) + 72, 1ull << 5 | 1ull << 63, "8 bytes (8 byte) past the end of "
                                            "buffer 'p5', which has 64");
  params[5].type = &scalar;
  says(FAR(5) + 72, 1ull << 4, "far from every buffer");
  says(FAR(64) + 64, 1ull << 63, "far from every buffer");
  says(FAR(64) + 64, 1ull << 0, "far from every buffer");
  says(FAR(100) + 4096, 1ull << 3, "buffer 'scene.lights'");
  says(FAR(100) + 4096, 1ull << 4, "far from every buffer");
}

static void test_far(void **state) {
  (void)state;
  uintptr_t end = FAR(5) + 64, most = (uintptr_t)16 << 30;
  says(end + most - 1, 0, "17179869183 bytes (4294967295 float) past the end");
  says(end + most, 0, "at address 0x1054");
  says(end + most, 0, "far from every buffer");
  says(0, 0, "through a null pointer");
  says(MT_NEAR_NULL - 1, 0, "through a null pointer");
  says(MT_NEAR_NULL, 0, "65536 bytes past a null pointer");
  says(((uintptr_t)1 << 30) - 1, 0, "bytes past a null pointer");
  says((uintptr_t)1 << 30, 0, "far from every buffer");
  launch.arg_count = 0;
  says(FAR(5) + 64, 0, "far from every buffer");
  launch.arg_count = PARAMETERS;
}

static void test_words(void **state) {
  (void)state;
  static const struct {
    mt_Fault fault;
    const char *text;
  } rows[] = {
      {{.kind = MT_FAULT_ACCESS, .write = 1}, "kernel 'k', threadgroup (0, 0, "
       "0): wrote memory that is not there"},
      {{.kind = MT_FAULT_ACCESS, .write = 0}, ": read memory"},
      {{.kind = MT_FAULT_ACCESS, .write = -1}, ": used memory"},
      {{.kind = MT_FAULT_THREADGROUP, .write = 1}, ": wrote outside"},
      {{.kind = MT_FAULT_THREADGROUP, .write = 0}, ": read outside"},
      {{.kind = MT_FAULT_THREADGROUP, .write = -1}, ": used outside"},
      {{.kind = MT_FAULT_PRIVATE}, "left its private memory"},
      {{.kind = MT_FAULT_ALIGN}, "misaligned"},
      {{.kind = MT_FAULT_DIVIDE}, "divided an integer by zero"},
      {{.kind = MT_FAULT_TRAP}, "stopped at a trap"},
      {{.kind = MT_FAULT_CODE}, "an instruction that this CPU does not have"},
      {{.kind = MT_FAULT_MEMORY}, "found no memory for its threads"},
      {{.kind = MT_FAULT_BARRIER, .reached = 3, .expected = 64},
       "3 of 64 threads reached it, the others have returned"},
      {{.kind = MT_FAULT_BARRIER, .elsewhere = true}, "wait at another one"},
      {{.kind = MT_FAULT_ASSERT, .at = {4, 5, 6}, .text = "x < 3"},
       "thread (4, 5, 6) failed assert(x < 3)"},
      {{.kind = MT_FAULT_DIVIDE, .line = 7, .near = true,
        .position = {1, 2, 3}},
       "kernel 'k', line 7, near threadgroup (1, 2, 3): divided"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (!strstr(said(rows[i].fault), rows[i].text))
      fail_msg("'%s' is not in: %s", rows[i].text, error.text);
  kernel.info.file = "a.metal";
  assert_non_null(strstr(said((mt_Fault){.kind = MT_FAULT_DIVIDE, .line = 7}),
                         "'k', line 7 of a.metal, threadgroup"));
  kernel.info.file = NULL;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_nearest),
      cmocka_unit_test(test_among),
      cmocka_unit_test(test_far),
      cmocka_unit_test(test_words),
  };
  (void)open_host, (void)close_host;
  return cmocka_run_group_tests(tests, make_launch, NULL);
}
