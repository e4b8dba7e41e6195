/*
** test_worker_process.c - work in a process of its own
** (base/process/worker_process.h), whatever becomes of that.
**
** Every test is run with a copy of this process and with this program started
** again. "# SKIP" where there is no such thing: copies, elsewhere than on
** Linux.
**
** Guards: base/process/worker_process.h: a worker process, forked or this
** program started again, that crashes, hangs, is stopped, exhausts memory or is
** killed
*/
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/notice.h"
#include "base/process/worker_process.h"
#include "tests/c/both_ways.h"
#include "tests/c/cancel_after.h"
#include "tests/c/skip.h"

#define NOT_HERE "workers are no copies of the program here"

#define BIG (9u << 20)

static int counted;
static char *hidden;
static int left_open = -1;

static volatile uintptr_t nowhere = 8;
static void crash(void) { *(volatile char *)nowhere = 1; }

/* Questions are words. */
static void work(void *context, const void *question, size_t size,
                 mt_Str *answer) {
  const char *q = question;
  if (!strcmp(q, "count")) mt_str_addf(answer, "%d", ++counted);
  if (!strcmp(q, "context")) mt_str_add(answer, context);
  if (!strcmp(q, "crash")) crash();
  if (!strcmp(q, "abort")) {
    fputs("LLVM ERROR: cannot select this\nStack dump:\n0. more\n", stderr);
    abort();
  }
  if (!strcmp(q, "leave")) _exit(3);
  volatile bool hangs = !strcmp(q, "hang");
  while (hangs) continue;
  if (!strcmp(q, "doze")) pause();
  if (!strcmp(q, "sleep")) usleep(1300 * 1000);
  if (!strcmp(q, "hidden")) mt_str_addf(answer, "%c", hidden[0]);
  if (!strcmp(q, "open"))
    mt_str_add(answer, fcntl(left_open, F_GETFD) < 0 ? "closed" : "open");
  if (!strcmp(q, "shared")) {
    char c = '-';
    if (read(MT_WORKER_SHARED, &c, 1) < 0) c = '!';
    mt_str_add_char(answer, c);
  }
  if (!strcmp(q, "pid")) mt_str_addf(answer, "%d", (int)getpid());
  if (!strcmp(q, "chatter"))
    for (int i = 0; i < 100000; i++) fputs("many words\n", stderr);
  if (!strcmp(q, "eat"))
    for (;;) {
      volatile char *p = malloc(64 << 20);
      if (!p) abort();
      p[0] = 1;
    }
  if (!strcmp(q, "big"))
    for (unsigned i = 0; i < BIG; i++) mt_str_add_char(answer, (char)(i * 7));
  if (size > 100) mt_str_addf(answer, "%zu", size);
}

static mt_WorkerProcess *begin(void) {
  mt_WorkerProcess *a =
      mt_worker_process_new(NULL, work, (void *)"of the kernel", "work");
  if (!a) skip_because(NOT_HERE);
  assert_true(mt_worker_process_usable(a));
  return a;
}

static mt_Status ask_within(mt_WorkerProcess *a, const char *question,
                            double seconds, mt_Str *answer, mt_Error *err) {
  mt_Question q = {question, strlen(question) + 1, seconds, "waiting"};
  mt_str_clear(answer);
  return mt_worker_process_ask(a, &q, answer, err);
}

static void expect(mt_WorkerProcess *a, const char *question,
                   const char *expected) {
  mt_Str answer = MT_STR_INIT;
  mt_Error err;
  assert_int_equal(ask_within(a, question, 0, &answer, &err), MT_OK);
  assert_string_equal(mt_str_text(&answer), expected);
  mt_str_free(&answer);
}

/* It does not come back from 'question': 'status', with these words in it. */
static void expect_loss(const char *question, double seconds,
                        mt_Status status, const char *words) {
  mt_WorkerProcess *a = begin();
  mt_Str answer = MT_STR_INIT;
  mt_Error err = {{0}};
  assert_int_equal(ask_within(a, question, seconds, &answer, &err), status);
  if (!strstr(err.text, words)) fail_msg("'%s'", err.text);
  assert_false(mt_worker_process_usable(a));
  assert_int_equal(ask_within(a, "count", 0, &answer, &err), MT_FAIL);
  mt_str_free(&answer);
  mt_worker_process_free(a);
}

static void test_answers(void **state) {
  (void)state;
  mt_WorkerProcess *a = begin(), *b = begin();
  expect(a, "count", "1");
  expect(a, "count", "2");
  expect(a, "context", "of the kernel");
  expect(b, "count", "1"); /* each has its own memory, */
  assert_int_equal(counted, 0); /* and so have we */
  expect(a, "", "");
  mt_worker_process_free(b);
  expect(a, "count", "3");
  mt_worker_process_free(a);
  mt_worker_process_free(NULL);
}

static void test_large(void **state) {
  (void)state;
  mt_WorkerProcess *a = begin();
  mt_Str answer = MT_STR_INIT;
  mt_Error err;
  assert_int_equal(ask_within(a, "big", 0, &answer, &err), MT_OK);
  assert_int_equal(answer.length, BIG);
  for (unsigned i = 0; i < BIG; i += 4099)
    assert_int_equal(answer.text[i], (char)(i * 7));
  char *much = calloc(1, BIG);
  mt_Question q = {much, BIG, 0, NULL};
  mt_str_clear(&answer);
  assert_int_equal(mt_worker_process_ask(a, &q, &answer, &err), MT_OK);
  char expected[32];
  snprintf(expected, sizeof expected, "%u", BIG);
  assert_string_equal(mt_str_text(&answer), expected);
  expect(a, "chatter", ""); /* it is not read, and no process waits */
  free(much);
  mt_str_free(&answer);
  mt_worker_process_free(a);
}

static void test_losses(void **state) {
  (void)state;
  expect_loss("crash", 0, MT_FAIL, strsignal(SIGSEGV));
  expect_loss("abort", 0, MT_FAIL, "cannot select this");
  expect_loss("leave", 0, MT_FAIL, "ended early");
  expect_loss("hang", 0.2, MT_TIMEOUT, "longer than 0.2 s");
  expect_loss("doze", 0.5, MT_TIMEOUT, "did nothing for 1 s");
}

/* Ended by the system while no question is asked. */
static void test_ended_unasked(void **state) {
  (void)state;
  mt_WorkerProcess *a = begin();
  mt_Str answer = MT_STR_INIT;
  mt_Error err;
  assert_int_equal(ask_within(a, "pid", 0, &answer, &err), MT_OK);
  kill((pid_t)atoi(mt_str_text(&answer)), SIGKILL);
  for (int i = 0; i < 6000 && mt_worker_process_usable(a); i++)
    usleep(10 * 1000);
  assert_false(mt_worker_process_usable(a));
  mt_str_free(&answer);
  mt_worker_process_free(a);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
static void test_memory_has_an_end(void **state) {
  (void)state;
  if (getenv("TEST_EMULATED")) skip_because("qemu sets no such limit");
  expect_loss("eat", 0, MT_FAIL, "");
}
#endif

/* The limit is for each question, not for all. */
static void test_limit_starts_anew(void **state) {
  (void)state;
  mt_WorkerProcess *a = begin();
  mt_Str answer = MT_STR_INIT;
  mt_Error err;
  for (int i = 0; i < 40; i++)
    assert_int_equal(ask_within(a, "count", 0.2, &answer, &err), MT_OK);
  mt_str_free(&answer);
  mt_worker_process_free(a);
}

static void test_cancelled(void **state) {
  (void)state;
  uint64_t start = mt_now_ns();
  pthread_t thread = cancel_after(150);
  expect_loss("hang", 0, MT_CANCELLED, "stopped");
  cancel_over(thread);
  assert_true(mt_now_ns() - start < 5000000000u);
}

static char shown[64];
static int overs;
static void show(const char *text) {
  if (text)
    snprintf(shown, sizeof shown, "%s", text);
  else
    overs++;
}

static void test_notice(void **state) {
  (void)state;
  mt_WorkerProcess *a = begin();
  expect(a, "count", "1"); /* it has begun */
  shown[0] = 0, overs = 0;
  mt_notice_set(show);
  uint64_t start = mt_now_ns();
  expect(a, "count", "2");
  /* on a busy machine that, too, may take a second */
  if (mt_now_ns() - start < 900 * 1000000u) assert_string_equal(shown, "");
  shown[0] = 0, overs = 0;
  expect(a, "sleep", "");
  mt_notice_set(NULL);
  assert_string_equal(shown, "waiting");
  assert_int_equal(overs, 1);
  mt_worker_process_free(a);
}

/* Files of ours are not held open, and pages that were hidden are not there. */
static void test_what_it_sees(void **state) {
  (void)state;
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  left_open = fcntl(ends[0], F_DUPFD, 100);
  hidden = mmap(NULL, page, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  hidden[0] = 'x';
  mt_WorkerProcess *a = begin();
  expect(a, "open", "closed");
  bool copied = strcmp(getenv("METTLE_WORKER"), "copy") == 0;
  if (copied) expect(a, "hidden", "x");
  mt_worker_process_free(a);
  mt_worker_process_hide(hidden, page);
  if (!getenv("TEST_EMULATED")) /* qemu hides nothing */
    expect_loss("hidden", 0, MT_FAIL, strsignal(SIGSEGV));
  assert_int_equal(hidden[0], 'x');
  munmap(hidden, page);
  close(ends[0]), close(ends[1]), close(left_open);
}

static int open_files(void) {
  int n = 0;
  for (int fd = 0; fd < 256; fd++) n += fcntl(fd, F_GETFD) >= 0;
  return n;
}

static void test_closes_its_files(void **state) {
  (void)state;
  int before = open_files();
  mt_WorkerProcess *a = begin();
  expect(a, "count", "1");
  mt_worker_process_free(a);
  assert_int_equal(open_files(), before);
  expect_loss("leave", 0, MT_FAIL, "ended early");
  assert_int_equal(open_files(), before);
}

/* An open file that is handed on, whatever its number is here. */
static void test_shared_file(void **state) {
  (void)state;
  static const int numbers[] = {3, 4, 5, 30};
  for (size_t i = 0; i < 4; i++) {
    int before = open_files(), ends[2], kept = fcntl(numbers[i], F_DUPFD, 40);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "s", 1), 1);
    int from = fcntl(ends[0], F_DUPFD, 50);
    close(ends[0]), close(ends[1]);
    dup2(from, numbers[i]), close(from);
    mt_WorkerOptions with = {.shared = numbers[i]};
    mt_WorkerProcess *a = mt_worker_process_new_with(
        NULL, work, (void *)"of the kernel", "shared", &with);
    if (!a) skip_because(NOT_HERE);
    expect(a, "shared", "s");
    mt_worker_process_free(a);
    if (kept >= 0) dup2(kept, numbers[i]), close(kept);
    else close(numbers[i]);
    assert_int_equal(open_files(), before);
  }
}

/* Ended by another process, between two questions. */
static void test_killed(void **state) {
  (void)state;
  mt_WorkerProcess *a = begin();
  mt_Str answer = MT_STR_INIT;
  mt_Error err;
  assert_int_equal(ask_within(a, "pid", 0, &answer, &err), MT_OK);
  kill((pid_t)atoi(answer.text), SIGKILL);
  assert_int_equal(ask_within(a, "count", 0, &answer, &err), MT_FAIL);
  assert_non_null(strstr(err.text, strsignal(SIGKILL)));
  mt_str_free(&answer);
  mt_worker_process_free(a);
}

/* It ends with the program that made it, even if that has no time to say so. */
static void test_ends_with_us(void **state) {
  (void)state;
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  pid_t between = fork();
  if (between == 0) {
    mt_WorkerProcess *a = mt_worker_process_new(NULL, work, NULL, "work");
    mt_Str answer = MT_STR_INIT;
    mt_Error err;
    pid_t its = 0;
    if (a && ask_within(a, "pid", 0, &answer, &err) == MT_OK)
      its = (pid_t)atoi(answer.text);
    _exit(write(ends[1], &its, sizeof its) == sizeof its ? 0 : 1);
  }
  pid_t its = 0;
  assert_int_equal(read(ends[0], &its, sizeof its), sizeof its);
  waitpid(between, NULL, 0);
  close(ends[0]), close(ends[1]);
  if (!its) skip_because(NOT_HERE);
  for (int i = 0; i < 6000 && kill(its, 0) == 0; i++) usleep(10000);
  assert_int_not_equal(kill(its, 0), 0);
}

#ifdef __linux__
static void look_first(void *context) {
  char score[8] = "";
  FILE *f = fopen("/proc/self/oom_score_adj", "r");
  (void)context;
  if (f == NULL || fgets(score, sizeof score, f) == NULL || atoi(score) < 1000)
    _exit(7);
  fclose(f);
}

/* A worker is the first to go where memory ends, also without an input; where
** nothing more is asked it ends well. */
static void test_ends_well(void **state) {
  (void)state;
  int ends[2], how = -1;
  assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  pid_t pid = fork();
  if (pid == 0) {
    int ours = dup2(ends[1], 100);
    close(0);
    dup2(ours, 3);
    _exit(mt_worker_process_serve(look_first, work, NULL));
  }
  close(ends[0]), close(ends[1]);
  assert_int_equal(waitpid(pid, &how, 0), pid);
  assert_int_equal(how, 0);
}
#endif

static void test_done_without(void **state) {
  (void)state;
  setenv("METTLE_WORKER", "0", 1);
  assert_null(mt_worker_process_new(NULL, work, NULL, "work"));
  unsetenv("METTLE_WORKER");
}

/* A program that does not say that it can be started again is not. */
static void test_not_offered(void **state) {
  (void)state;
  setenv("METTLE_WORKER", "program", 1);
  assert_null(mt_worker_process_new(NULL, work, NULL, NULL));
  unsetenv("METTLE_WORKER");
}

int main(int argc, char **argv) {
  const char *asked = mt_worker_process_asked(argc, argv);
  if (asked && strcmp(asked, "shared") == 0)
    return mt_worker_process_serve_with(NULL, work, (void *)"of the kernel",
                                        &(mt_WorkerOptions){.shared = 4});
  if (asked)
    return mt_worker_process_serve(NULL, work, (void *)"of the kernel");
  mt_worker_process_offer();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_answers),
      cmocka_unit_test(test_large),
      cmocka_unit_test(test_losses), cmocka_unit_test(test_ended_unasked),
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
      cmocka_unit_test(test_memory_has_an_end),
#endif
      cmocka_unit_test(test_limit_starts_anew),
      cmocka_unit_test(test_cancelled),
      cmocka_unit_test(test_notice),
      cmocka_unit_test(test_what_it_sees),
      cmocka_unit_test(test_closes_its_files),
      cmocka_unit_test(test_shared_file),
      cmocka_unit_test(test_killed),
      cmocka_unit_test(test_ends_with_us),
#ifdef __linux__
      cmocka_unit_test(test_ends_well),
#endif
      cmocka_unit_test(test_done_without),
      cmocka_unit_test(test_not_offered),
  };
  return run_both_ways(tests, sizeof tests / sizeof *tests, NULL, NULL);
}
