/*
** test_base.c - strings, files, children, 16-bit floats, scalars, types and the
** pool.
**
** Guards: base/: errors, strings, files, whose they are, 16-bit floats, scalar
** types, the thread pool; base/{arena, build_id, cancel, distance, notice,
** pass, pointer_map, pool, serialise, status, str, thread}.c,
** base/process/child.c, base/files/{confined_paths, file, file_ownership,
** folders, lock}.c, base/kernel_types/{half, reflect, scalar, type_text}.c,
** pictures/bitmap_font.c
*/
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <dirent.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <fcntl.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/kernel_types/type_text.h"
#include "base/cancel.h"
#include "base/process/child.h"
#include "base/clock.h"
#include "base/files/confine.h"
#include "base/files/file.h"
#include "base/kernel_types/half.h"
#include "base/files/lock.h"
#include "base/macos.h"
#include "base/notice.h"
#include "base/pool.h"
#include "base/kernel_types/reflect.h"
#include "base/files/user_file.h"
#include "base/kernel_types/scalar.h"
#include "base/str.h"
#include "base/thread.h"
#include "base/files/file_ownership.h"
#include "base/files/confined_paths.h"

/* ---------------------------------------------------------- status and text */

static void an_error_is_one_line_and_is_cut(void **state) {
  (void)state;
  mt_Error err;
  assert_int_equal(mt_error(&err, MT_BADARG, "got %d", 7), MT_BADARG);
  assert_string_equal(err.text, "got 7");
  char big[3 * MT_ERROR_MAX];
  memset(big, 'x', sizeof big);
  big[sizeof big - 1] = '\0';
  mt_error(&err, MT_FAIL, "%s", big);
  assert_int_equal(strlen(err.text), MT_ERROR_MAX - 1);
  assert_string_equal(err.text + MT_ERROR_MAX - 4, "...");
  assert_int_equal(mt_error(NULL, MT_FAIL, "nobody listens"), MT_FAIL);
}

static void a_string_grows(void **state) {
  (void)state;
  mt_Str s = MT_STR_INIT;
  assert_string_equal(mt_str_text(&s), "");
  for (int i = 0; i < 1000; i++) mt_str_addf(&s, "%d,", i);
  assert_int_equal(s.length, 10 * 2 + 90 * 3 + 900 * 4);
  assert_memory_equal(s.text + s.length - 4, "999,", 5);
  mt_str_add_bytes(&s, "a\0b", 3);
  assert_memory_equal(s.text + s.length - 3, "a\0b", 4);
  mt_str_clear(&s);
  assert_string_equal(mt_str_text(&s), "");
  assert_false(mt_str_reserve(&s, SIZE_MAX - 4));
  mt_str_add(&s, "after a failure nothing is added, nothing breaks");
  assert_true(s.failed);
  mt_str_free(&s);
}

static void only_utf8_is_added_as_it_is(void **state) {
  (void)state;
  static const struct { const char *bytes, *expected; } cases[] = {
      {"plain", "plain"},
      {"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80",
       "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"},
      {"a\xff" "b", "a\xef\xbf\xbd" "b"},
      /* longer than it need be */
      {"\xc0\x80", "\xef\xbf\xbd\xef\xbf\xbd"},
      {"\xe0\x80\xaf", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
      /* half of a pair */
      {"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
      {"\xf4\x90\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
      {"\xe2\x82", "\xef\xbf\xbd\xef\xbf\xbd"},             /* cut short */
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    mt_Str s = MT_STR_INIT;
    mt_str_add_utf8(&s, cases[i].bytes, strlen(cases[i].bytes));
    assert_string_equal(mt_str_text(&s), cases[i].expected);
    mt_str_free(&s);
  }
}

/* ------------------------------------------------------------------ files */

static void a_file_is_replaced_whole(void **state) {
  (void)state;
  char folder[] = "/tmp/mettle-test-XXXXXX", path[256], deep[256];
  mt_Error err;
  mt_Str text = MT_STR_INIT;
  struct stat info;
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/file", folder);
  assert_int_equal(mt_file_read(path, 0, &text, &err), MT_FAIL);
  assert_non_null(strstr(err.text, "No such file"));
  assert_int_equal(mt_file_write(path, "old\0bytes", 9, 0600, &err), MT_OK);
  assert_int_equal(mt_file_write(path, "new", 3, 0600, &err), MT_OK);
  assert_int_equal(stat(path, &info), 0);
  assert_int_equal(info.st_mode & 0777, 0600);
  assert_int_equal(mt_file_read(path, 0, &text, &err), MT_OK);
  assert_string_equal(text.text, "new");
  assert_int_equal(mt_file_read(path, 2, &text, &err), MT_BADARG);
  snprintf(deep, sizeof deep, "%s/a/b/c", folder);
  assert_int_equal(mt_dir_make(deep, 0700, &err), MT_OK);
  assert_int_equal(mt_dir_make(deep, 0700, &err), MT_OK);
  snprintf(deep, sizeof deep, "%s/file/below", folder);
  assert_int_not_equal(mt_dir_make(deep, 0700, &err), MT_OK);
  mt_str_free(&text);
  snprintf(path, sizeof path, "rm -r %s", folder);
  assert_int_equal(system(path), 0);
}

static size_t names_in(const char *folder) {
  size_t n = 0;
  DIR *dir = opendir(folder);
  for (struct dirent *e; (e = readdir(dir)) != NULL;) n += e->d_name[0] != '.';
  closedir(dir);
  return n;
}

static void a_persons_file_stays_theirs(void **state) {
  (void)state;
  char folder[] = "/tmp/mettle-test-XXXXXX", path[256], to[256];
  mt_Error err;
  mt_Str text = MT_STR_INIT;
  struct stat info;
  bool made;
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/file", folder);
  snprintf(to, sizeof to, "%s/link", folder);
  assert_int_equal(mt_user_file_create(path, "old", 3, 0644, &made, &err),
                   MT_OK);
  assert_true(made);
  assert_int_equal(mt_user_file_create(path, "new", 3, 0644, &made, &err),
                   MT_OK);
  assert_false(made); /* something is there: left alone */
  assert_int_equal(chmod(path, 0640), 0);
  assert_int_equal(symlink("file", to), 0);
  assert_int_equal(mt_user_file_save(to, "by the link", 11, 0600, true, &err),
                   MT_OK);
  assert_int_equal(lstat(to, &info), 0);
  assert_true(S_ISLNK(info.st_mode));
  assert_int_equal(stat(path, &info), 0);
  assert_int_equal(info.st_mode & 07777, 0640);
  assert_int_equal(names_in(folder), 2);

  /* Ctrl-C in the middle of it: the old bytes, and nothing else */
  enum { MUCH = 8 << 20 };
  char *much = calloc(1, MUCH);
  mt_cancel_request();
  assert_int_equal(mt_user_file_save(path, much, MUCH, 0600, false, &err),
                   MT_CANCELLED);
  assert_int_equal(mt_file_read(path, 0, &text, &err), MT_OK);
  assert_string_equal(text.text, "by the link");
  assert_int_equal(names_in(folder), 2);
  assert_int_equal(mt_user_file_save(path, "short", 5, 0600, true, &err),
                   MT_OK);
  mt_cancel_clear();
  free(much);

  if (geteuid() == 0) { /* a link that another user made */
    assert_int_equal(lchown(to, 65534, 65534), 0);
    assert_int_equal(mt_user_file_save(to, "x", 1, 0644, false, &err), MT_FAIL);
    assert_non_null(strstr(err.text, "another user made"));
    assert_int_equal(lchown(to, 0, 0), 0);
  }
  assert_int_equal(unlink(path), 0); /* the link leads nowhere now */
  assert_int_equal(mt_user_file_create(to, "x", 1, 0644, &made, &err), MT_OK);
  assert_false(made);
  assert_int_equal(mt_user_file_save(to, "again", 5, 0644, false, &err), MT_OK);
  assert_int_equal(stat(path, &info), 0);
  assert_int_equal(mt_user_file_save(folder, "x", 1, 0644, false, &err),
                   MT_FAIL);
  assert_non_null(strstr(err.text, "a folder"));
  assert_int_equal(mt_user_file_save("/dev/null", "x", 1, 0644, false, &err),
                   MT_OK);
  assert_int_equal(lstat("/dev/null", &info), 0);
  assert_true(S_ISCHR(info.st_mode));
  mt_str_free(&text);
  snprintf(path, sizeof path, "rm -r %s", folder);
  assert_int_equal(system(path), 0);
}

static void a_lock_is_held_by_one(void **state) {
  (void)state;
  char path[] = "/tmp/mettle-lock-XXXXXX";
  int first, second;
  mt_Error err;
  close(mkstemp(path));
  assert_int_equal(mt_lock_take(path, 1, &first, &err), MT_OK);
  assert_int_equal(mt_lock_take(path, 0.05, &second, &err), MT_FAIL);
  assert_non_null(strstr(err.text, "another"));
  mt_lock_drop(first);
  assert_int_equal(mt_lock_take(path, 1, &second, &err), MT_OK);
  mt_lock_drop(second);
  unlink(path);
}

static void copies_may_overlap(void **state) {
  (void)state;
  enum { N = 40 << 20 };
  char *a = malloc(N + 1000);
  for (size_t i = 0; i < N; i++) a[i] = (char)(i * 7 + (i >> 12));
  assert_true(mt_copy(a + 1000, a, N));
  for (size_t i = 0; i < N; i += 997)
    assert_int_equal(a[i + 1000], (char)(i * 7 + (i >> 12)));
  assert_true(mt_copy(a, a + 1000, N));
  for (size_t i = 0; i < N; i += 997)
    assert_int_equal(a[i], (char)(i * 7 + (i >> 12)));
  mt_cancel_request();
  assert_false(mt_copy(a, a + 1000, N));
  mt_cancel_clear();
  free(a);
}

/* --------------------------------------------------------------- children */

static mt_Child *start(const char *const *argv, double seconds) {
  mt_ChildLimits limits = {seconds, 0, 0, 0};
  mt_Child *child = NULL;
  mt_Error err;
  assert_int_equal(mt_child_start(argv, &limits, &child, &err), MT_OK);
  return child;
}

/* Its exit status, and in 'out' what it said. */
static int finish(mt_Child *child, const char *input, mt_Str *out) {
  mt_Str said = MT_STR_INIT;
  mt_Error err;
  int code = -1;
  assert_int_equal(
      mt_child_finish(child, input, strlen(input), out, &said, &code, &err),
      MT_OK);
  mt_str_free(&said);
  return code;
}

static unsigned told, wiped;
static void tell(const char *text) {
  if (text) assert_string_equal(text, "sleeping…"), told++;
  else wiped++;
}

static void who_waits_for_a_child_is_told_after_a_second(void **state) {
  (void)state;
  static const char *const quick[] = {"/bin/sleep", "0.1", NULL},
                           *const slow[] = {"/bin/sleep", "1.2", NULL};
  mt_Str none = MT_STR_INIT;
  mt_notice_set(tell);
  mt_notice_begin("sleeping…");
  uint64_t since = mt_now_ns();
  assert_int_equal(finish(start(quick, 0), "", &none), 0);
  /* on a busy machine that, too, may take a second */
  if (mt_now_ns() - since < 900 * 1000000u) assert_int_equal(told, 0);
  mt_notice_end();
  told = wiped = 0;
  mt_notice_begin("sleeping…");
  assert_int_equal(finish(start(slow, 0), "", &none), 0);
  assert_int_equal(told, 1);
  mt_notice_end();
  assert_int_equal(wiped, 1);
  mt_notice_begin("sleeping…");
  mt_notice_end();
  assert_int_equal(wiped, 1);
  mt_notice_set(NULL);
  mt_str_free(&none);
}

static void a_child_waits_for_its_input(void **state) {
  (void)state;
  static const char *const argv[] = {"/bin/cat", NULL};
  /* two seconds by the clock, from its input on */
  mt_Child *child = start(argv, 0.5);
  mt_Str out = MT_STR_INIT;
  usleep(2200 * 1000);
  assert_true(mt_child_alive(child));
  assert_int_equal(mt_child_feed(child, "one ", 4), 4);
  /* all of its input was given: it was closed */
  assert_int_equal(finish(child, "", &out), 0);
  assert_string_equal(mt_str_text(&out), "one ");
  mt_str_free(&out);
}

static void a_child_opens_its_input_by_name(void **state) {
  (void)state;
  static const char *const argv[] = {"/bin/cat", "/dev/fd/0", NULL};
  mt_Str out = MT_STR_INIT;
  assert_int_equal(finish(start(argv, 0), "named", &out), 0);
  assert_string_equal(mt_str_text(&out), "named");
  mt_str_free(&out);
}

/* SIGPIPE would end this program. One that was pending before stays pending. */
static void a_child_may_end_before_its_input(void **state) {
  (void)state;
  static const char *const argv[] = {"/bin/sh", "-c",
                                     "exec <&-; echo no; sleep 0.2", NULL};
  static const char input[1 << 20];
  mt_Str out = MT_STR_INIT, said = MT_STR_INIT;
  mt_Error err;
  int code;
  sigset_t broken, before, pending;
  sigemptyset(&broken);
  sigaddset(&broken, SIGPIPE);
  for (int blocked = 0; blocked < 2; blocked++) {
    if (blocked) {
      pthread_sigmask(SIG_BLOCK, &broken, &before);
      raise(SIGPIPE);
    }
    assert_int_equal(mt_child_finish(start(argv, 0), input, sizeof input, &out,
                                     &said, &code, &err), MT_OK);
    assert_int_equal(code, 0);
    sigpending(&pending);
    assert_int_equal(sigismember(&pending, SIGPIPE), blocked);
  }
  int which;
  assert_int_equal(sigwait(&broken, &which), 0);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  assert_string_equal(mt_str_text(&out), "no\nno\n");
  mt_str_free(&out);
  mt_str_free(&said);
}

/* On a busy machine a right program takes long by the clock. This one takes a
** fifth of a second of a processor's time, for which it is given one, and more
** than the four seconds by the clock after which one that sleeps is ended. */
static void a_child_that_works_is_not_late(void **state) {
  (void)state;
  static const char *const works[] = {
      "/bin/sh", "-c",
      "i=0; while [ $i -lt 42 ]; do i=$((i+1)); j=0; "
      "while [ $j -lt 1500 ]; do j=$((j+1)); done; sleep 0.1; done; "
      "echo done",
      NULL};
  static const char *const sleeps[] = {"/bin/sleep", "30", NULL};
  mt_Str out = MT_STR_INIT, said = MT_STR_INIT;
  mt_Error err;
  int code;
  assert_int_equal(finish(start(works, 1), "", &out), 0);
  assert_string_equal(mt_str_text(&out), "done\n");
  assert_int_equal(
      mt_child_finish(start(sleeps, 0.05), "", 0, &out, &said, &code, &err),
      MT_TIMEOUT);
  mt_str_free(&out);
  mt_str_free(&said);
}

/* Stops this process after a second, for 'seconds'. */
static pid_t stop_me(unsigned seconds) {
  pid_t me = getpid(), other = fork();
  if (other != 0) return other;
  sleep(1);
  kill(me, SIGSTOP);
  sleep(seconds);
  kill(me, SIGCONT);
  _exit(0);
}

static void the_time_of_who_was_stopped_does_not_count(void **state) {
  (void)state;
  static const char *const sleeps[] = {"/bin/sleep", "8", NULL};
  mt_ChildLimits limits = {.idle = 5};
  mt_Child *child = NULL;
  mt_Str out = MT_STR_INIT;
  mt_Error err;
  pid_t other = stop_me(5);
  assert_int_equal(mt_child_start(sleeps, &limits, &child, &err), MT_OK);
  assert_int_equal(finish(child, "", &out), 0);
  waitpid(other, NULL, 0);
  mt_str_free(&out);
}

static void a_child_that_ended_is_not_alive(void **state) {
  (void)state;
  static const char *const argv[] = {"/bin/sh", "-c", "exit 3", NULL};
  mt_Child *child = start(argv, 0);
  mt_Str out = MT_STR_INIT;
  for (int i = 0; i < 6000 && mt_child_alive(child); i++) usleep(10000);
  assert_false(mt_child_alive(child));
  assert_int_equal(finish(child, "x", &out), 3);
  mt_str_free(&out);
}

static void on_signal(int number) { (void)number; }

/* A handler of ours is not theirs, and a start leaves the caller's own signals
** as they were. */
static void a_child_starts_with_the_usual_signals(void **state) {
  (void)state;
  static const char *const argv[] = {"/bin/sh", "-c",
                                     "kill -USR1 $$; echo lives", NULL};
  mt_Str out = MT_STR_INIT;
  sigset_t before, after;
  signal(SIGUSR1, on_signal);
  pthread_sigmask(SIG_SETMASK, NULL, &before);
  mt_Child *child = start(argv, 0);
  pthread_sigmask(SIG_SETMASK, NULL, &after);
  assert_int_equal(sigismember(&before, SIGINT), sigismember(&after, SIGINT));
  assert_int_equal(finish(child, "", &out), 128 + SIGUSR1);
  assert_true(signal(SIGUSR1, SIG_DFL) == on_signal);
  mt_str_free(&out);
}

/* --------------------------------------------------------- 16-bit floats */

static void halves_are_exact_both_ways(void **state) {
  (void)state;
  for (unsigned h = 0; h < 65536; h++) {
    float f = mt_half_to_float((uint16_t)h);
    if (isnan(f))
      assert_true(isnan(mt_half_to_float(mt_half_from_float(f))));
    else
      assert_int_equal(mt_half_from_float(f), h);
    float b = mt_bfloat_to_float((uint16_t)h);
    if (!isnan(b)) assert_int_equal(mt_bfloat_from_float(b), h);
  }
}

static void halves_round_to_nearest_even(void **state) {
  (void)state;
  /* by their definition: ten bits of fraction, exponent from -14 to 15 */
  assert_int_equal(mt_half_from_float(1.0f), 0x3c00);
  assert_int_equal(mt_half_from_float(1.0f + 0x1p-11f), 0x3c00);
  assert_int_equal(mt_half_from_float(1.0f + 0x3p-11f), 0x3c02);
  assert_int_equal(mt_half_from_float(1.0f + 0x1p-11f + 0x1p-20f), 0x3c01);
  assert_int_equal(mt_half_from_float(65504.0f), 0x7bff);
  assert_int_equal(mt_half_from_float(65519.9f), 0x7bff);
  assert_int_equal(mt_half_from_float(65520.0f), 0x7c00);
  assert_int_equal(mt_half_from_float(-INFINITY), 0xfc00);
  assert_int_equal(mt_half_from_float(0x1p-24f), 0x0001);
  assert_int_equal(mt_half_from_float(0x1p-25f), 0x0000);
  assert_int_equal(mt_half_from_float(0x1.8p-25f), 0x0001);
  assert_int_equal(mt_half_from_float(-0.0f), 0x8000);
  assert_int_equal(mt_bfloat_from_float(1.0f + 0x1p-8f), 0x3f80);
  assert_int_equal(mt_bfloat_from_float(1.0f + 0x3p-8f), 0x3f82);
  assert_int_equal(mt_bfloat_from_float(3.4e38f), 0x7f80);
}

/* ------------------------------------------------------ scalars and types */

/* Metal's bindings, gpuAddress and gpuResourceID came with macOS 13. */
static void old_systems_are_told(void **state) {
  (void)state;
  static const char *const old[] = {"10.15.7", "11.7", "12", "12.7.6"};
  static const char *const fine[] = {"13",     "13.0", "14.5", "15.1",
                                     "26.0.1", "?",    ""};
  for (size_t i = 0; i < sizeof old / sizeof *old; i++)
    assert_true(mt_macos_is_old(old[i]));
  for (size_t i = 0; i < sizeof fine / sizeof *fine; i++)
    assert_false(mt_macos_is_old(fine[i]));
  assert_non_null(strstr(mt_macos_advice, "needs 13 or newer"));
}

static void scalars_pass_through_doubles(void **state) {
  (void)state;
  for (int s = MT_VOID + 1; s < MT_SCALARS; s++) {
    double in[4] = {0, 1, mt_scalar_lowest((mt_Scalar)s),
                    mt_scalar_highest((mt_Scalar)s)};
    double out[4];
    char bytes[32];
    /* the largest 64-bit integers are not doubles: take the next below */
    if (s == MT_LONG) in[3] = 0x1p62;
    if (s == MT_ULONG) in[3] = 0x1p63;
    mt_scalars_pack((mt_Scalar)s, in, 4, bytes);
    mt_scalars_unpack((mt_Scalar)s, bytes, 4, out);
    for (int i = 0; i < 4; i++) assert_true(in[i] == out[i]);
  }
  int8_t small[3] = {-128, 127, -1};
  assert_int_equal((int64_t)mt_scalars_sum(MT_CHAR, small, 3), -2);
  uint64_t large[2] = {UINT64_MAX, 2};
  assert_true(mt_scalars_sum(MT_ULONG, large, 2) == 1);
}

static void types_have_metals_layout(void **state) {
  (void)state;
  static const struct {
    const char *name;
    size_t size, align;
  } cases[] = {
      {"float", 4, 4},   {"half", 2, 2},     {"bool", 1, 1},
      {"ulong", 8, 8},   {"float2", 8, 8},   {"float3", 16, 16},
      {"float4", 16, 16}, {"half3", 8, 8},   {"uchar4", 4, 4},
      {"long3", 32, 32}, {"packed_float3", 12, 4}, {"packed_half2", 4, 2},
      {"uint32_t", 4, 4}, {"size_t", 8, 8},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const mt_Type *t = mt_type_named(cases[i].name);
    assert_non_null(t);
    assert_int_equal(t->size, cases[i].size);
    assert_int_equal(t->align, cases[i].align);
  }
  assert_null(mt_type_named("double"));
  assert_null(mt_type_named("float5"));
  assert_null(mt_type_named(""));
  assert_null(mt_type_named("void"));
  assert_int_equal(mt_scalar_named("uint8", 4), MT_UINT);
  assert_int_equal(mt_scalar_named("uint32_t", 8), MT_VOID);
  assert_int_equal(mt_scalar_known("uint32_t", 8), MT_UINT);
  assert_int_equal(mt_scalar_known("unsigned long", 13), MT_ULONG);
  assert_int_equal(mt_scalar_known("_Float16", 8), MT_HALF);
  assert_int_equal(mt_scalar_known("void", 4), MT_VOID);
}

/* ------------------------------------------------------------------- pool */

typedef struct Tally {
  atomic_uchar *seen;
  atomic_uint busy[256];
  atomic_uint clashes;
} Tally;

static void tick(void *context, size_t index, unsigned worker) {
  Tally *t = context;
  if (atomic_fetch_add(&t->busy[worker], 1) != 0)
    atomic_fetch_add(&t->clashes, 1);
  atomic_fetch_add(&t->seen[index], 1);
  atomic_fetch_sub(&t->busy[worker], 1);
}

static void the_pool_runs_each_index_once(void **state) {
  (void)state;
  enum { MOST = 10007 };
  static Tally t;
  t.seen = calloc(MOST, sizeof *t.seen);
  assert_non_null(t.seen);
  static const unsigned sizes[] = {1, 2, 7, 3, 0};
  static const size_t counts[] = {0, 1, 2, 3, 64, 1000, MOST};
  for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
    mt_pool_resize(sizes[s]);
    for (int round = 0; round < 50; round++)
      for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        memset((void *)t.seen, 0, MOST);
        /* short or not: ten thousand are beyond the caller's patience */
        (round % 2 ? mt_pool_run_short : mt_pool_run)(counts[c], tick, &t);
        for (size_t i = 0; i < MOST; i++)
          assert_int_equal(t.seen[i], i < counts[c]);
      }
  }
  assert_int_equal(t.clashes, 0);
  assert_true(mt_pool_size() >= 1);
  free((void *)t.seen);
}

/* In a process of its own, as it is for good: 0 if all is as it should be. */
static int be_confined(const char *top) {
  char in[128], out[128], link_name[128], other[128];
  mt_Str text = MT_STR_INIT;
  snprintf(in, sizeof in, "%s/in/file", top);
  snprintf(out, sizeof out, "%s/out/file", top);
  snprintf(link_name, sizeof link_name, "%s/in/link", top);
  snprintf(other, sizeof other, "%s/in/../out/new", top);
  char readable[128], writable[128];
  snprintf(readable, sizeof readable, "%s/read", top);
  snprintf(writable, sizeof writable, "%s/in", top);
  char own[128], kept[128], program[128];
  snprintf(program, sizeof program, "%s/out/true", top);
  snprintf(own, sizeof own, "%s/own", top);
  snprintf(kept, sizeof kept, "%s/own/kept", top);
  mt_confine((const char *const[]){readable, NULL},
             (const char *const[]){writable, NULL},
             (const char *const[]){own, NULL});
  if (mt_file_write(in, "x", 1, 0600, NULL) != MT_OK ||
      mt_file_read(in, 0, &text, NULL) != MT_OK)
    return 1;
  if (mt_file_read(out, 0, &text, NULL) == MT_OK ||
      mt_file_write(other, "x", 1, 0600, NULL) == MT_OK)
    return 2;
  if (symlink(out, link_name) != 0 ||
      mt_file_read(link_name, 0, &text, NULL) == MT_OK)
    return 3;
  if (mt_confine_allows(readable, true) || !mt_confine_allows(readable, false))
    return 4;
  if (mt_confine_allows("/etc/passwd", false) || mt_confine_allows(top, false))
    return 5;
  /* Mettle's own folder: its to write, not a path's that was given */
  if (mt_file_write(kept, "x", 1, 0600, NULL) != MT_OK ||
      mt_user_file_save(kept, "y", 1, 0600, false, NULL) == MT_OK)
    return 6;
  if (mt_confine_allows(kept, true) || !mt_confine_allows(kept, false))
    return 7;
  mt_str_free(&text);
  /* not through our calls: the kernel stops it, if it can */
  int made = open(other, O_CREAT | O_WRONLY, 0600), read = open(out, O_RDONLY);
  if (mt_confine_weakness()) return made >= 0 && read >= 0 ? 10 : 8;
  if (made >= 0 || read >= 0 || truncate(out, 0) == 0) return 9;
  /* nor in a process that it starts; that is no program either */
  pid_t child = fork();
  if (child == 0)
    _exit(open(out, O_RDONLY) >= 0 ? 2 : execl(program, "true", NULL) != 0);
  int how = 0;
  if (waitpid(child, &how, 0) != child || !WIFEXITED(how)) return 11;
  return WEXITSTATUS(how) == 1 ? 0 : 12;
}

static void test_confine(void **state) {
  (void)state;
  char top[] = "/tmp/mettle-confine-XXXXXX", command[128];
  assert_non_null(mkdtemp(top));
  snprintf(command, sizeof command,
           "cd %s && mkdir in out read own && echo x >out/file && "
           "cp /usr/bin/true out",
           top);
  assert_int_equal(system(command), 0);
  pid_t pid = fork();
  if (pid == 0) _exit(be_confined(top));
  int how;
  assert_int_equal(waitpid(pid, &how, 0), pid);
  snprintf(command, sizeof command, "rm -rf %s", top);
  assert_int_equal(system(command), 0);
  assert_true(WIFEXITED(how));
  if (WEXITSTATUS(how) == 10) print_message("# this kernel has no Landlock\n");
  else assert_int_equal(WEXITSTATUS(how), 0);
}

static void test_visible(void **state) {
  (void)state;
  static const char raw[] =
      "a\tb\n\033[1;31mred\033[2J\r\0grün \xff \xe2\x81\xa6 漢";
  mt_Str s = MT_STR_INIT;
  mt_str_add_visible(&s, raw, sizeof raw - 1, "\t");
  assert_string_equal(mt_str_text(&s), "a\tb␊␛[1;31mred␛[2J␍␀grün � � 漢");
  mt_str_clear(&s);
  mt_str_add_visible(&s, raw, sizeof raw - 1, "\t\n\033");
  assert_string_equal(mt_str_text(&s), "a\tb\n\033[1;31mred␛[2J␍␀grün � � 漢");
  mt_str_free(&s);
}

/* A copy of this process has none of its threads, and starts its own. */
/* Each waits until all are there: so many threads there are. */
static _Atomic int arrived, workers_seen[8];
static void meet(void *context, size_t index, unsigned worker) {
  (void)index;
  workers_seen[worker]++;
  arrived++;
  for (int i = 0; i < 60000 && arrived < *(int *)context; i++) usleep(1000);
}

static void the_pool_has_as_many_threads_as_it_says(void **state) {
  (void)state;
  for (int n = 2; n <= 8; n += 3) {
    arrived = 0;
    for (int w = 0; w < 8; w++) workers_seen[w] = 0;
    mt_pool_resize((unsigned)n);
    assert_int_equal(mt_pool_size(), n);
    mt_pool_run((size_t)n, meet, &n);
    assert_int_equal(arrived, n);
    for (int w = 0; w < 8; w++) assert_int_equal(workers_seen[w], w < n);
  }
  mt_pool_resize(0);
}

static void the_pool_runs_in_a_copy_of_the_process(void **state) {
  (void)state;
  static Tally t;
  static atomic_uchar seen[100];
  t.seen = seen;
  mt_pool_resize(3);
  mt_pool_run(100, tick, &t);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    alarm(20); /* it would wait for threads that are not there */
    mt_pool_run(100, tick, &t);
    _exit(0);
  }
  int status = -1;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  mt_pool_resize(0);
}

/* -------------------------------------------------------------
** base/files/file_ownership.h */

static void test_trust(void **state) {
  (void)state;
  char top[] = "/tmp/mettle-trust-XXXXXX", a[64], b[64], link_name[64],
       file[64];
  mt_Error why;
  mt_Str text = MT_STR_INIT;
  assert_non_null(mkdtemp(top));
  snprintf(a, sizeof a, "%s/a", top);
  snprintf(b, sizeof b, "%s/a/b", top);
  snprintf(link_name, sizeof link_name, "%s/link", top);
  snprintf(file, sizeof file, "%s/file", top);
  assert_true(mt_path_is_owned(b, &why)); /* will be ours */
  assert_false(mt_folder_is_owned(b, &why));
  assert_int_equal(mt_dir_make(b, 0700, &why), MT_OK);
  assert_true(mt_folder_is_owned(b, &why));
  chmod(a, 0777);
  assert_false(mt_folder_is_owned(b, &why));
  assert_non_null(strstr(why.text, "chmod go-w"));
  chmod(a, 01777); /* as /tmp is: fine on the way, not as the place itself */
  assert_true(mt_folder_is_owned(b, &why));
  assert_false(mt_folder_is_owned(a, &why));
  chmod(a, 0700);
  assert_int_equal(symlink("a/b", link_name), 0);
  assert_true(mt_folder_is_owned(link_name, &why));
  chmod(a, 0777); /* on the way of the link's target */
  assert_false(mt_folder_is_owned(link_name, &why));
  chmod(a, 0755);
  unlink(link_name);
  assert_int_equal(symlink("link", link_name), 0);
  assert_false(mt_path_is_owned(link_name, &why));
  unlink(link_name);

  assert_int_equal(mt_file_write(file, "bytes", 5, 0600, &why), MT_OK);
  assert_int_equal(mt_file_read_owned(file, 0, &text, &why), MT_OK);
  assert_string_equal(mt_str_text(&text), "bytes");
  assert_int_equal(symlink(file, link_name), 0);
  assert_int_equal(mt_file_read_owned(link_name, 0, &text, &why), MT_FAIL);
  chmod(file, 0620);
  assert_int_equal(mt_file_read_owned(file, 0, &text, &why), MT_FAIL);
  unlink(file);
  assert_int_equal(mkfifo(file, 0600), 0);
  assert_int_equal(mt_file_read_owned(file, 0, &text, &why),
                   MT_FAIL); /* at once */
  if (geteuid() == 0) {
    assert_int_equal(chown(a, 4242, 4242), 0);
    assert_false(mt_folder_is_owned(b, &why));
    assert_non_null(strstr(why.text, "another user"));
    assert_int_equal(lchown(link_name, 4242, 4242), 0);
    assert_false(mt_path_is_owned(link_name, &why));
  }
  mt_str_free(&text);
  unlink(link_name), unlink(file), rmdir(b), rmdir(a), rmdir(top);
}

/* ------------------------------------------------------------ types as text */

static void types_as_text(void **state) {
  (void)state;
  static const char *const texts[] = {
      "nfloat4;", "nuint;", "Aint;", "mfloat4x3;float;4;3;64;16;", "a8;nhalf;",
      "sP;32;16;3;at;0;nfloat3;id;16;nuint;s;20;a3;nshort;", "pfloat *;",
      "ttexture2d<float>;8;", "S8;", "ounion;4;"};
  static const char *const wrong[] = {"", "x", "nfloat", "nquux;", "a8;", "s;1",
                                      "nfloat;n", "sP;32;16;9999999;"};
  mt_TypeStore store = {0};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    mt_Str out = {0};
    const mt_Type *t = mt_type_read(&store, texts[i]);
    assert_non_null(t);
    mt_type_write(&out, t);
    assert_string_equal(mt_str_text(&out), texts[i]);
    mt_str_free(&out);
  }
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    assert_null(mt_type_read(&store, wrong[i]));
  for (unsigned n = 4095; n <= 4097; n++) { /* the most fields there can be */
    mt_Str many = {0};
    mt_str_addf(&many, "sMany;%u;4;%u;", 4 * n, n);
    for (unsigned i = 0; i < n; i++)
      mt_str_addf(&many, "f%u;%u;nfloat;", i, 4 * i);
    const mt_Type *t = mt_type_read(&store, many.text);
    assert_int_equal(t != NULL, n <= 4096);
    if (t) assert_int_equal(t->fields[n - 1].offset, 4 * (n - 1));
    mt_str_free(&many);
  }
  const mt_Type *p = mt_type_read(&store, texts[5]);
  assert_int_equal(p->fields[2].type->size, 6);
  assert_string_equal(p->fields[2].type->name, "short[3]");
  mt_type_store_free(&store);
}

static void *tell_blocked(void *context) {
  pthread_sigmask(SIG_SETMASK, NULL, context);
  return NULL;
}

static void a_thread_gets_faults_and_no_other_signals(void **state) {
  (void)state;
  sigset_t blocked, before, after;
  pthread_t thread;
  pthread_sigmask(SIG_SETMASK, NULL, &before);
  assert_true(mt_thread_start(&thread, tell_blocked, &blocked));
  pthread_join(thread, NULL);
  assert_true(sigismember(&blocked, SIGINT));
  assert_true(sigismember(&blocked, SIGALRM));
  assert_false(sigismember(&blocked, SIGSEGV));
  assert_false(sigismember(&blocked, SIGFPE));
  pthread_sigmask(SIG_SETMASK, NULL, &after);
  assert_false(sigismember(&after, SIGINT));
  assert_int_equal(sigismember(&before, SIGALRM),
                   sigismember(&after, SIGALRM));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(types_as_text),
      cmocka_unit_test(test_trust),
      cmocka_unit_test(test_visible),
      cmocka_unit_test(test_confine),
      cmocka_unit_test(an_error_is_one_line_and_is_cut),
      cmocka_unit_test(a_string_grows),
      cmocka_unit_test(only_utf8_is_added_as_it_is),
      cmocka_unit_test(a_file_is_replaced_whole),
      cmocka_unit_test(a_persons_file_stays_theirs),
      cmocka_unit_test(a_lock_is_held_by_one),
      cmocka_unit_test(copies_may_overlap),
      cmocka_unit_test(who_waits_for_a_child_is_told_after_a_second),
      cmocka_unit_test(a_child_waits_for_its_input),
      cmocka_unit_test(a_child_opens_its_input_by_name),
      cmocka_unit_test(a_child_may_end_before_its_input),
      cmocka_unit_test(a_child_that_works_is_not_late),
      cmocka_unit_test(the_time_of_who_was_stopped_does_not_count),
      cmocka_unit_test(a_child_that_ended_is_not_alive),
      cmocka_unit_test(a_child_starts_with_the_usual_signals),
      cmocka_unit_test(halves_are_exact_both_ways),
      cmocka_unit_test(halves_round_to_nearest_even),
      cmocka_unit_test(old_systems_are_told),
      cmocka_unit_test(scalars_pass_through_doubles),
      cmocka_unit_test(types_have_metals_layout),
      cmocka_unit_test(the_pool_runs_each_index_once),
      cmocka_unit_test(the_pool_has_as_many_threads_as_it_says),
      cmocka_unit_test(a_thread_gets_faults_and_no_other_signals),
      cmocka_unit_test(the_pool_runs_in_a_copy_of_the_process),
  };
  return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
