/*
** landlock.c - the calls of Landlock, which the C library does not have.
**
** The one idea: each version of Landlock knows more kinds of access (truncating
** since 3), and refuses rules that name one it does not know. So the kinds are
** cut to those of the kernel's version.
*/
#define _GNU_SOURCE
#include "base/files/landlock.h"

#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__linux__) && __has_include(<linux/landlock.h>)
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

#if defined(__linux__) && __has_include(<linux/landlock.h>) && \
    defined(SYS_landlock_create_ruleset)

#define READS (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
#define RUNS (READS | LANDLOCK_ACCESS_FS_EXECUTE)
#define TRUNCATE (1ull << 14) /* older headers do not have it */
#define WRITES                                                     \
  (READS | LANDLOCK_ACCESS_FS_WRITE_FILE |                         \
   LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE | \
   LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR |    \
   LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK |    \
   LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK |  \
   LANDLOCK_ACCESS_FS_MAKE_SYM | TRUNCATE)
#define OF_A_FILE /* of the above, what a file can have */ \
  (LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | \
   LANDLOCK_ACCESS_FS_WRITE_FILE | TRUNCATE)

static int version(void) {
  return (int)syscall(SYS_landlock_create_ruleset, NULL, 0,
                      LANDLOCK_CREATE_RULESET_VERSION);
}

/* Of these kinds, those that the kernel knows. */
static uint64_t known(uint64_t kinds) {
  return version() >= 3 ? kinds : kinds & ~TRUNCATE;
}

bool mt_landlock_there(void) { return version() >= 1; }

int mt_landlock_new(void) {
  struct landlock_ruleset_attr handled = {
      .handled_access_fs = known(WRITES | RUNS)};
  if (!mt_landlock_there()) return -1;
  return (int)syscall(SYS_landlock_create_ruleset, &handled,
                      sizeof handled.handled_access_fs, 0);
}

void mt_landlock_allow(int rules, const char *path, mt_LandlockRights rights) {
  static const uint64_t kinds[] = {[MT_LANDLOCK_READ] = READS,
                                   [MT_LANDLOCK_RUN] = RUNS,
                                   [MT_LANDLOCK_WRITE] = WRITES};
  struct stat st;
  int fd = rules < 0 || path == NULL ? -1 : open(path, O_PATH | O_CLOEXEC);
  if (fd < 0) return;
  struct landlock_path_beneath_attr beneath = {
      .allowed_access = known(kinds[rights]), .parent_fd = fd};
  if (fstat(fd, &st) == 0) {
    if (!S_ISDIR(st.st_mode)) beneath.allowed_access &= OF_A_FILE;
    syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &beneath,
            0);
  }
  close(fd);
}

bool mt_landlock_enter(int rules) {
  bool in = rules >= 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
            syscall(SYS_landlock_restrict_self, rules, 0) == 0;
  if (rules >= 0) close(rules);
  return in;
}

#else

bool mt_landlock_there(void) { return false; }

int mt_landlock_new(void) { return -1; }

void mt_landlock_allow(int rules, const char *path, mt_LandlockRights rights) {
  (void)rules, (void)path, (void)rights;
}

bool mt_landlock_enter(int rules) {
  (void)rules;
  return false;
}

#endif
