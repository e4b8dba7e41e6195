/*
** test_host_safety.c - what kernels do wrong: the program survives, says what
** happened in which kernel, leaves other buffers alone, and takes the next
** launch.
**
** Guards: devices/host/run: wild accesses, endless kernels, divergent barriers,
** Ctrl-C, huge grids and arrays; devices/host/run/{dispatch, fault_message,
** fiber, watchdog}.c, devices/host/native/line_table.c,
** devices/compiler/ir/loop_counters.c
*/
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "devices/host/run/fault_guard.h"
#include "tests/c/cancel_after.h"
#include "tests/c/host_case.h"
#include "tests/c/skip.h"

static const char *source = MSL(
struct Pair { float4 a; float4 b; };
kernel void good(device uint *out [[buffer(0)]],
                 uint i [[thread_position_in_grid]]) { out[i] = i * 3; }
kernel void write_after(device const uint *in [[buffer(0)]],
                        device uint *out [[buffer(1)]],
                        uint i [[thread_position_in_grid]]) {
  out[i + in[0]] = 1;
}
kernel void read_before(device const uint *in [[buffer(0)]],
                        device uint *out [[buffer(1)]],
                        uint i [[thread_position_in_grid]]) {
  out[i] = in[long(i) - 5000];
}
kernel void far_away(device const ulong *in [[buffer(0)]],
                     device uint *out [[buffer(1)]],
                     uint i [[thread_position_in_grid]]) {
  *(device uint *)(in[0] + 0x123456780000ul) = out[i];
}
kernel void null_pointer(device const ulong *in [[buffer(0)]],
                         device uint *out [[buffer(1)]],
                         uint i [[thread_position_in_grid]]) {
  out[i] = *(device uint *)(in[0]);
}
kernel void misaligned(device const uint *in [[buffer(0)]],
                       device float4 *out [[buffer(1)]],
                       uint i [[thread_position_in_grid]]) {
  device float4 *p = (device float4 *)((device char *)out + 1 + in[0]);
  p[i] = float4(1, 2, 3, 4);
}
kernel void divide(device const uint *in [[buffer(0)]],
                   device uint *out [[buffer(1)]],
                   uint i [[thread_position_in_grid]]) {
  out[i] = 7 / in[i] + 9 % in[i];
}
kernel void divide_signed(device const int *in [[buffer(0)]],
                          device int *out [[buffer(1)]],
                          uint i [[thread_position_in_grid]]) {
  int least = int(0x80000000u) + (in[i] + 1);
  out[i] = least / in[i] + least % in[i];
}
kernel void divide_all(device const uint *in [[buffer(0)]],
                       device uint *out [[buffer(1)]],
                       uint i [[thread_position_in_grid]]) {
  ulong l = 5ul / ulong(in[i]);
  ushort s = ushort(6) / ushort(in[i]);
  uint2 v = uint2(7, i) / uint2(in[0], in[1]);
  out[i] = uint(l) + s + v.x + v.y + 3 % in[i] + uint(4l % long(in[0]));
}
kernel void endless(device const uint *in [[buffer(0)]],
                    device uint *out [[buffer(1)]],
                    uint i [[thread_position_in_grid]]) {
  while (true) { }
  out[i] = in[i];
}
kernel void endless_one(device const uint *in [[buffer(0)]],
                        device uint *out [[buffer(1)]],
                        uint i [[thread_position_in_grid]]) {
  uint n = in[i] + 1;
  while (n != 0 && i == 70) n = n * 5 + 2 | 1;
  out[i] = n;
}
kernel void endless_barrier(device const uint *in [[buffer(0)]],
                            device uint *out [[buffer(1)]],
                            uint i [[thread_position_in_grid]]) {
  while (in[0] == 0) threadgroup_barrier(mem_flags::mem_device);
  out[i] = 1;
}
kernel void no_barrier(device uint *out [[buffer(0)]],
                       uint i [[thread_position_in_threadgroup]]) {
  threadgroup uint x[64];
  x[i] = i;
  if (i < 16) threadgroup_barrier(mem_flags::mem_threadgroup);
  out[i] = x[63 - i];
}
kernel void two_barriers(device uint *out [[buffer(0)]],
                         uint i [[thread_position_in_threadgroup]]) {
  if (i < 16) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    out[i] = 1;
  } else {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    out[i] = 2;
  }
}
kernel void early_return(device uint *out [[buffer(0)]],
                         uint i [[thread_position_in_threadgroup]]) {
  threadgroup uint x[64];
  if (i >= 50) return;
  x[i] = i;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[i] = x[49 - i];
}
kernel void busy_return(device uint *out [[buffer(0)]],
                        uint i [[thread_position_in_threadgroup]]) {
  threadgroup uint x[64];
  if (i >= 50) { out[i] = 7; return; }
  x[i] = i;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[i] = x[49 - i];
}
kernel void late_return(device uint *out [[buffer(0)]],
                        uint i [[thread_position_in_threadgroup]]) {
  threadgroup uint x[64];
  for (uint k = 0; k < 4; k++) {
    x[i] = i + k;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (i >= 50 && k == 2) return;
    out[i] = x[49 - i % 50];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
}
kernel void nothing() {}
kernel void private_after(device const uint *in [[buffer(0)]],
                          device uint *out [[buffer(1)]],
                          uint i [[thread_position_in_grid]]) {
  uint big[16];
  for (uint k = 0; k < 16; k++) big[k] = in[k];
  for (uint k = 0; k < 100000000; k++) big[k + in[0]] = i;
  out[i] = big[in[1]];
}
kernel void private_before(device const uint *in [[buffer(0)]],
                           device uint *out [[buffer(1)]],
                           uint i [[thread_position_in_grid]]) {
  uint big[16];
  for (uint k = 0; k < 16; k++) big[k] = in[k];
  for (int k = 0; k > -100000000; k--) big[k + int(in[0])] = i;
  out[i] = big[in[1]];
}
kernel void private_and_wait(device const uint *in [[buffer(0)]],
                             device uint *out [[buffer(1)]],
                             uint i [[thread_position_in_grid]]) {
  uint big[16];
  for (uint k = 0; k < 16; k++) big[k] = in[k];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint k = 0; k < 100000000; k++) big[k + in[0]] = i;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[i] = big[in[1]];
}
kernel void tile_after(device const uint *in [[buffer(0)]],
                       device uint *out [[buffer(1)]],
                       uint i [[thread_position_in_grid]]) {
  threadgroup uint tile[64];
  for (uint k = 0; k < 100000000; k++) tile[k + in[0]] = i;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[i] = tile[in[1]];
}
kernel void tile_before(device const uint *in [[buffer(0)]],
                        device uint *out [[buffer(1)]],
                        uint i [[thread_position_in_grid]]) {
  threadgroup uint tile[64];
  for (int k = 0; k > -100000000; k--) tile[k + int(in[0])] = i;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[i] = tile[in[1]];
}
kernel void far_index(device const uint *in [[buffer(0)]],
                      device uint *out [[buffer(1)]],
                      uint i [[thread_position_in_grid]]) {
  out[i + 0x70000000u + in[0]] = 1;
}
kernel void trapped(device const uint *in [[buffer(0)]],
                    device uint *out [[buffer(1)]],
                    uint i [[thread_position_in_grid]]) {
  if (in[i] == 0) __builtin_debugtrap();
  out[i] = 1;
}
static uint over_nought(uint x, uint by) { return x / ((by << 6) & 3u); }
kernel void divide_known(device const uint *in [[buffer(0)]],
                         device uint *out [[buffer(1)]],
                         uint i [[thread_position_in_grid]]) {
  out[i] = over_nought(i, in[i]) + over_nought(5, i);
}
);

static mt_Buffer *in, *out, *other;

static int make(void **state) {
  if (open_host(state) != 0) return -1;
  in = host_buffer(4096);
  out = host_buffer(4096);
  other = host_buffer(4096);
  return 0;
}

static int unmake(void **state) {
  mt_buffer_free(in);
  mt_buffer_free(out);
  mt_buffer_free(other);
  return close_host(state);
}

static mt_Status run(const char *name, double limit) {
  mt_Buffer *b[] = {in, out};
  mt_Kernel *k = host_kernel(source, name);
  if (mt_kernel_info(k)->param_count < 3) b[0] = out;
  mt_Status status = host_run(k, (mt_Size){128, 1, 1}, (mt_Size){64, 1, 1},
                              limit, b);
  mt_kernel_free(k);
  return status;
}

static void must_fail(const char *name, mt_Status want, const char *words) {
  memset(mt_buffer_contents(other), 0x5a, 4096);
  memset(mt_buffer_contents(in), 0, 4096);
  mt_Status status = run(name, 0.2);
  if (status != want) fail_msg("%s: status %d, %s", name, status, error.text);
  for (const char *w = words; *w; w += strlen(w) + 1)
    if (!strstr(error.text, w))
      fail_msg("%s: '%s' is not in: %s", name, w, error.text);
  if (!strstr(error.text, name)) fail_msg("no kernel's name: %s", error.text);
  for (int i = 0; i < 4096; i++)
    assert_int_equal(((char *)mt_buffer_contents(other))[i], 0x5a);
  if (run("good", 10) != MT_OK) fail_msg("after %s: %s", name, error.text);
  for (uint32_t i = 0; i < 128; i++)
    assert_int_equal(((uint32_t *)mt_buffer_contents(out))[i], i * 3);
}

static void test_access(void **state) {
  (void)state;
  for (int way = 0; host_way(way); way++) {
    must_fail("read_before", MT_FAIL, "read\0before the start\0'in'\0uint\0");
    must_fail("null_pointer", MT_FAIL, "null\0");
  }
}

static void test_far_away(void **state) {
  (void)state;
#ifdef __SANITIZE_THREAD__
  skip_because("the thread sanitizer's own memory lies there");
#endif
  for (int way = 0; host_way(way); way++) {
    must_fail("far_away", MT_FAIL, "memory that is not there\0");
#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__) /* host/memory.c */
    if (!getenv("TEST_EMULATED"))
      must_fail("far_index", MT_FAIL, "wrote\0past the end of buffer 'out'\0");
#endif
  }
}

/* Off the end of arrays that are no buffers: the stack and the heap of the
** program are not there. */
static void test_own_arrays(void **state) {
  (void)state;
  for (int way = 0; host_way(way); way++) {
    must_fail("tile_after", MT_FAIL, "outside threadgroup memory\0");
    must_fail("tile_before", MT_FAIL, "outside threadgroup memory\0");
    must_fail("private_after", MT_FAIL, "private memory\0");
    must_fail("private_before", MT_FAIL, "private memory\0");
    must_fail("private_and_wait", MT_FAIL, "private memory\0");
  }
}

static void test_trap(void **state) {
  (void)state;
  for (int way = 0; host_way(way); way++)
    must_fail("trapped", MT_FAIL, "stopped at a trap\0");
}

static void test_write_after(void **state) {
  (void)state;
  mt_Buffer *b[] = {in, out};
  mt_Kernel *k = host_kernel(source, "write_after");
  for (int way = 0; host_way(way); way++) {
    *(uint32_t *)mt_buffer_contents(in) = 1024 + 500;
    assert_int_equal(
        host_run(k, (mt_Size){64, 1, 1}, (mt_Size){64, 1, 1}, 1, b), MT_FAIL);
    unsigned bytes = 0, elements = 0;
    const char *at = strstr(error.text, " memory that is not there: ");
    if (!at || !strstr(at, "past the end of buffer 'out', which has 1024") ||
        sscanf(at, " memory that is not there: %u bytes (%u uint)", &bytes,
               &elements) != 2)
      fail_msg("%s", error.text);
    if (!strstr(error.text, "line 3,") || /* MSL() makes one line of it, */
        (!strstr(error.text, "wrote") && !getenv("TEST_EMULATED")))
      fail_msg("%s", error.text); /* and qemu does not say which it was */
    /* any thread's */
    if (bytes < 2000 || bytes >= 2256 || elements != bytes / 4)
      fail_msg("%s", error.text);
  }
  mt_kernel_free(k);
}

/* A misaligned vector may work (the CPU can do it) or be refused. */
static void test_misaligned(void **state) {
  (void)state;
  for (int way = 0; host_way(way); way++) {
    memset(mt_buffer_contents(in), 0, 4096);
    mt_Status status = run("misaligned", 1);
    if (status != MT_OK && !strstr(error.text, "misaligned"))
      fail_msg("%s", error.text);
    assert_int_equal(run("good", 1), MT_OK);
  }
}

/* Metal leaves the result open; here it is that of a division by 1. */
static void test_divide(void **state) {
  (void)state;
  const uint32_t *got = mt_buffer_contents(out);
  uint32_t *divisor = mt_buffer_contents(in);
  for (int way = 0; host_way(way); way++) {
    memset(divisor, 0, 4096);
    for (uint32_t i = 0; i < 128; i += 2) divisor[i] = i + 1;
    if (run("divide", 1) != MT_OK) fail_msg("%s", error.text);
    for (uint32_t i = 0; i < 128; i++)
      assert_int_equal(got[i], i % 2 ? 7 : 7 / (i + 1) + 9 % (i + 1));
    memset(divisor, 0xff, 4096);
    if (run("divide_signed", 1) != MT_OK) fail_msg("%s", error.text);
    for (uint32_t i = 0; i < 128; i++) assert_int_equal(got[i], 0x80000000u);
    memset(divisor, 0, 4096);
    if (run("divide_all", 1) != MT_OK) fail_msg("%s", error.text);
    for (uint32_t i = 0; i < 128; i++) assert_int_equal(got[i], 5 + 6 + 7 + i);
    if (run("divide_known", 1) != MT_OK) fail_msg("%s", error.text);
    for (uint32_t i = 0; i < 128; i++) assert_int_equal(got[i], i + 5);
  }
}

static void test_endless(void **state) {
  (void)state;
  static const char *const names[] = {"endless", "endless_one",
                                      "endless_barrier"};
  for (int way = 0; host_way(way); way++)
    for (int i = 0; i < 3; i++) {
      uint64_t start = mt_now_ns();
      must_fail(names[i], MT_TIMEOUT, "time limit\0");
      double took = (double)(mt_now_ns() - start) * 1e-9;
      if (took > 5 && !getenv("TEST_EMULATED"))
        fail_msg("%s took %g s to stop", names[i], took);
    }
}

/* Loops that would be hard to leave by asking them: each must be gone soon
** after its time, whatever it is in the middle of. */
static const char *stubborn = MSL(
kernel void nested(device uint *a [[buffer(0)]],
                   uint i [[thread_position_in_grid]]) {
  uint s = i;
  for (uint x = 1; x != 0; x |= 1)
    for (uint y = 0; y < 1000000; y++)
      for (uint z = 0; z < 1000; z++) s = s * 5 + a[z & 63];
  a[i] = s;
}
kernel void spin(device atomic_uint *a [[buffer(0)]],
                 uint i [[thread_position_in_grid]]) {
  while (atomic_load_explicit(&a[i & 1], memory_order_relaxed) != 77u)
    atomic_fetch_add_explicit(&a[2], 0u, memory_order_relaxed);
}
kernel void exchange(device atomic_uint *a [[buffer(0)]],
                     uint i [[thread_position_in_grid]]) {
  uint want = 5;
  while (!atomic_compare_exchange_weak_explicit(&a[0], &want, 1u,
                                                memory_order_relaxed,
                                                memory_order_relaxed))
    want = 5 + i;
}
kernel void lanes(device uint *a [[buffer(0)]],
                  uint i [[thread_position_in_grid]]) {
  uint s = i;
  while (simd_any(s != 0xffffffffu)) {
    s = simd_shuffle_xor(s, 1) * 3 + simd_sum(s & 1);
    if (s == 0xffffffffu) s--;
  }
  a[i] = s;
}
kernel void waiting(device uint *a [[buffer(0)]],
                    uint i [[thread_position_in_grid]]) {
  threadgroup uint x[64];
  while (a[0] == 0) {
    x[i & 63] = i;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (x[0] == 99999) break;
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  a[i] = 1;
}
kernel void arrays(device uint *a [[buffer(0)]],
                   uint i [[thread_position_in_grid]]) {
  uint p[256];
  for (uint k = 0; k < 256; k++) p[k] = k;
  uint x = i & 255;
  while (a[0] == 0) { p[x] = p[(x * 7 + 1) & 255]; x = (x + p[x] + 1) & 255; }
  a[i] = p[x];
}
);

static void test_stubborn(void **state) {
  (void)state;
  static const char *const names[] = {"nested", "spin",    "exchange",
                                      "lanes",  "waiting", "arrays"};
  mt_Size grid = {640, 1, 1}, group = {64, 1, 1};
  for (int way = 0; host_way(way); way++)
    for (int i = 0; i < 6; i++) {
      memset(mt_buffer_contents(out), 0, 4096);
      mt_Kernel *k = host_kernel(stubborn, names[i]);
      host_run(k, grid, group, 0.01, &out); /* compiles it, too */
      uint64_t start = mt_now_ns();
      assert_int_equal(host_run(k, grid, group, 0.1, &out), MT_TIMEOUT);
      double late = (double)(mt_now_ns() - start) * 1e-9 - 0.1;
      mt_kernel_free(k);
      /* within 0.1 s, but the machine may be busy with other suites */
      if (late > 1 && !getenv("TEST_EMULATED"))
        fail_msg("%s ended %g s after its time", names[i], late);
    }
}

static void test_cancel(void **state) {
  (void)state;
  mt_Buffer *b[] = {in, out};
  mt_Kernel *k = host_kernel(source, "endless");
  for (int way = 0; host_way(way); way++) {
    /* compile */
    host_run(k, (mt_Size){64, 1, 1}, (mt_Size){64, 1, 1}, 0.01, b);
    pthread_t thread = cancel_after(50);
    uint64_t start = mt_now_ns();
    mt_Status status =
        host_run(k, (mt_Size){6400, 1, 1}, (mt_Size){64, 1, 1}, 20, b);
    double took = (double)(mt_now_ns() - start) * 1e-9;
    cancel_over(thread);
    assert_int_equal(status, MT_CANCELLED);
    if (took > 1) fail_msg("took %g s to stop", took);
  }
  mt_kernel_free(k);
}

static void test_barrier(void **state) {
  (void)state;
  for (int way = 0; host_way(way); way++) {
    must_fail("no_barrier", MT_FAIL,
              "threadgroup_barrier\00016 of 64\0returned\0");
    must_fail("two_barriers", MT_FAIL, "threadgroup_barrier\0another\0");
  }
}

/* Threads that have returned are not waited for; the others go on, both
** ways. */
static void test_early_return(void **state) {
  (void)state;
  uint32_t *got = mt_buffer_contents(out);
  for (int way = 0; host_way(way); way++) {
    static const char *const names[] = {"early_return", "busy_return"};
    for (int n = 0; n < 2; n++) {
      memset(got, 0, 4096);
      if (run(names[n], 10) != MT_OK) fail_msg("%s", error.text);
      for (uint32_t i = 0; i < 64; i++)
        assert_int_equal(got[i], i < 50 ? 49 - i : n ? 7 : 0);
    }
    if (run("late_return", 10) != MT_OK) fail_msg("%s", error.text);
    for (uint32_t i = 0; i < 64; i++)
      assert_int_equal(got[i], 49 - i % 50 + (i < 50 ? 3 : 1));
  }
}

static void test_huge_grid(void **state) {
  (void)state;
  mt_Kernel *k = host_kernel(source, "nothing");
  for (int way = 0; host_way(way); way++) {
    mt_Status status = host_run(k, (mt_Size){UINT32_MAX, UINT32_MAX, 1},
                                (mt_Size){1, 1, 1}, 0.1, NULL);
    assert_int_equal(status, MT_TIMEOUT);
    status = host_run(k, (mt_Size){UINT32_MAX, UINT32_MAX, UINT32_MAX},
                      (mt_Size){1, 1, 1}, 0.1, NULL);
    assert_int_not_equal(status, MT_OK);
    host_must_run(k, (mt_Size){100, 1, 1}, (mt_Size){10, 1, 1}, NULL);
  }
  mt_kernel_free(k);
}

static void test_private_memory(void **state) {
  (void)state;
  static const char big[] = MSL(
kernel void big(device uint *out [[buffer(0)]],
                uint i [[thread_position_in_grid]]) {
  uint x[25000000];
  for (uint k = 0; k < 25000000; k++) x[k] = out[k % 8];
  out[i] = x[out[i] * 7];
});
  mt_Library *lib = NULL;
  mt_Kernel *k = NULL;
  mt_Str log = MT_STR_INIT;
  if (mt_library_new(host, big, strlen(big), NULL, &lib, &log, &error) ==
      MT_OK) {
    assert_int_not_equal(mt_kernel_new(lib, "big", NULL, 0, &k, &error), MT_OK);
    assert_non_null(strstr(error.text, "private memory"));
    mt_library_free(lib);
  }
  mt_str_free(&log);
  assert_int_equal(run("good", 10), MT_OK);
}

static void test_buffer_too_large(void **state) {
  (void)state;
  mt_Buffer *b = NULL;
  assert_int_not_equal(mt_buffer_new(host, (size_t)1 << 50, &b, &error), MT_OK);
  assert_null(b);
}

/* After a small buffer too, where memory.c chooses the place. */
static void test_large_start_at_huge_pages(void **state) {
  (void)state;
  mt_Buffer *small = host_buffer(12), *large = host_buffer((size_t)4 << 20);
  uintptr_t at = (uintptr_t)mt_buffer_contents(large);
  if (at >> 40 >= 0x20 && at >> 40 <= 0x50)
    assert_int_equal(at % ((uintptr_t)2 << 20), 0);
  mt_buffer_free(small);
  mt_buffer_free(large);
}

/* Continues this process, 'seconds' after it has written to 'to'. */
static pid_t continue_me(unsigned seconds, int *to) {
  int way[2];
  char byte;
  assert_int_equal(pipe(way), 0);
  pid_t me = getpid(), helper = fork();
  assert_true(helper >= 0);
  if (!helper) {
    if (read(way[0], &byte, 1) == 1) sleep(seconds);
    for (; kill(me, SIGCONT) == 0; sleep(1));
    _exit(0);
  }
  close(way[0]);
  *to = way[1];
  return helper;
}

/* A limit of two seconds, and three in which all is stopped: were those
** counted, it would be over when they are. */
static void test_stopped_time(void **state) {
  static mt_Watch watch;
  (void)state;
  int to;
  pid_t helper = continue_me(3, &to);
  uint64_t begin = mt_now_ns();
  mt_watchdog_begin(&watch, begin + 2000000000u);
  assert_int_equal(write(to, "x", 1), 1);
  kill(getpid(), SIGSTOP);
  while (!atomic_load(&watch.stop)) usleep(1000);
  double took = (double)(mt_now_ns() - begin) * 1e-9;
  int why = atomic_load(&watch.stop);
  mt_watchdog_end(&watch);
  kill(helper, SIGKILL);
  waitpid(helper, NULL, 0);
  close(to);
  assert_int_equal(why, MT_STOP_TIME);
  if (took < 4) fail_msg("its time was over after %g s", took);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_large_start_at_huge_pages),
      cmocka_unit_test(test_access),
      cmocka_unit_test(test_far_away),
      cmocka_unit_test(test_own_arrays),
      cmocka_unit_test(test_trap),
      cmocka_unit_test(test_write_after),
      cmocka_unit_test(test_misaligned),
      cmocka_unit_test(test_divide),
      cmocka_unit_test(test_endless),
      cmocka_unit_test(test_stubborn),
      cmocka_unit_test(test_cancel),
      cmocka_unit_test(test_stopped_time),
      cmocka_unit_test(test_barrier),
      cmocka_unit_test(test_early_return),
      cmocka_unit_test(test_huge_grid),
      cmocka_unit_test(test_private_memory),
      cmocka_unit_test(test_buffer_too_large),
  };
  return cmocka_run_group_tests(tests, make, unmake);
}
