/*
** test_folders.c - the user's folders with the longest names there can be, and
** keys of files in them.
**
** Guards: base/files/{folders, cache_entry}.c: paths at the limit of the system
** and past it; both halves of a key
*/
#define _GNU_SOURCE
#include <ftw.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/files/cache_entry.h"
#include "base/files/folders.h"

/* ------------------------------------------------------------------ folders */

static char home[] = "/tmp/mettle-home-XXXXXX";

static int begin(void **state) {
  (void)state;
  strcpy(home + strlen(home) - 6, "XXXXXX");
  return mkdtemp(home) ? 0 : -1;
}

static int drop(const char *path, const struct stat *s, int kind,
                struct FTW *where) {
  (void)s, (void)kind, (void)where;
  return remove(path);
}

static int end(void **state) {
  (void)state;
  return nftw(home, drop, 20, FTW_DEPTH | FTW_PHYS);
}

/* A path below 'home' that is 'length' long, in names of at most 200. */
static void fill(char *path, size_t length) {
  size_t n = strlen(home);
  memset(path, 'a', length);
  memcpy(path, home, n);
  path[length] = '\0';
  while (n < length) {
    path[n] = '/';
    n += length - n > 300 ? 201 : length - n;
  }
}

/* In a process of its own: the folder is asked for once. What is given for a
** base of this length, from its end: "" is nothing. */
static void expect_state(size_t length, const char *wanted) {
  char base[PATH_MAX + 1];
  int how = -1;
  fill(base, length);
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0) {
    setenv("XDG_STATE_HOME", base, 1);
    const char *folder = mt_dir_state();
    size_t n = folder ? strlen(folder) : 0;
    if (wanted[0] == '\0') _exit(folder ? 1 : 0);
    if (n != length + strlen(wanted) || strncmp(folder, base, length)) _exit(2);
    struct stat s;
    if (strcmp(folder + length, wanted) || stat(folder, &s)) _exit(3);
    _exit(S_ISDIR(s.st_mode) ? 0 : 4);
  }
  assert_int_equal(waitpid(pid, &how, 0), pid);
  if (how) fail_msg("a base of %zu letters: %d", length, WEXITSTATUS(how));
}

#define OURS "/mettle"

/* A name that is cut would be another folder. */
static void test_long_names(void **state) {
  (void)state;
  size_t longest = PATH_MAX - 1 - strlen(OURS);
  expect_state(100, OURS);
  expect_state(longest, OURS);
  expect_state(longest + 1, "");
  expect_state(longest + 2, "");
  expect_state(PATH_MAX - 1, "");
}

/* --------------------------------------------------------------------- keys */

static mt_Key key_of(const void *bytes, size_t size) {
  mt_Key k = MT_KEY_INIT;
  mt_key_add(&k, bytes, size);
  return k;
}

/* The first half of a key after a word more, as cache_entry.c has it. */
static uint64_t mix(uint64_t h, uint64_t word) {
  h = (h ^ word) * 0xff51afd7ed558ccdu;
  return h ^ h >> 32;
}

/* Texts that were made so that the first halves are the same: the second is
** another, in each of its bits for some of them. */
static void test_halves(void **state) {
  (void)state;
  mt_Key start = MT_KEY_INIT;
  uint64_t differs = 0;
  for (uint64_t i = 1; i <= 64; i++) {
    uint64_t a[2] = {i * 0x9e3779b97f4a7c15u, i}, b[2] = {a[0] + i, 0},
             h = mix(start.word[0], sizeof a);
    b[1] = mix(h, a[0]) ^ a[1] ^ mix(h, b[0]);
    mt_Key x = key_of(a, sizeof a), y = key_of(b, sizeof b);
    assert_true(x.word[0] == y.word[0]);
    assert_false(mt_key_equal(&x, &y));
    differs |= x.word[1] ^ y.word[1];
  }
  assert_true(differs == UINT64_MAX);
}

/* One bit more or less, and what is added in other pieces. */
static void test_bits(void **state) {
  (void)state;
  unsigned char text[40] = "all that a file is made of, and more", was;
  for (size_t size = 0; size <= sizeof text; size++) {
    mt_Key whole = key_of(text, size), again = key_of(text, size);
    assert_true(mt_key_equal(&whole, &again));
    for (size_t bit = 0; bit < 8 * size; bit++) {
      was = text[bit / 8];
      text[bit / 8] ^= (unsigned char)(1 << bit % 8);
      mt_Key other = key_of(text, size);
      assert_true(whole.word[0] != other.word[0] &&
                  whole.word[1] != other.word[1]);
      text[bit / 8] = was;
    }
    mt_Key parts = key_of(text, size / 2);
    mt_key_add(&parts, text + size / 2, size - size / 2);
    assert_false(mt_key_equal(&whole, &parts));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_long_names, begin, end),
      cmocka_unit_test(test_halves), cmocka_unit_test(test_bits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
