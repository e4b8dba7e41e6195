/*
** file_ownership.c - can only this user change a file or a folder? See
** file_ownership.h.
**
** The one idea: a path is walked from the root as the system walks it, links
** included, and each folder and link on the way must belong to the user or to
** root and not be writable by others. Then no other user can redirect the path.
*/
#include "base/files/file_ownership.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files/file.h"

#define MOST_LINKS 40
#define OTHERS (S_IWGRP | S_IWOTH)

/* -------------------------------------------------------------- whose it is */

/* In a user namespace (a container) all owners from outside share one uid;
** files of the outer root, such as /, have it too. */
static bool is_unmapped(uid_t uid) {
#ifdef __linux__
  unsigned long from, to, count, overflow = 65534;
  FILE *f = fopen("/proc/self/uid_map", "re");
  if (f == NULL) return false;
  bool whole =
      fscanf(f, "%lu %lu %lu", &from, &to, &count) == 3 && count >= 4294967295u;
  fclose(f);
  if (whole) return false;
  f = fopen("/proc/sys/kernel/overflowuid", "re");
  if (f && fscanf(f, "%lu", &overflow) != 1) overflow = 65534;
  if (f) fclose(f);
  return uid == overflow;
#else
  (void)uid;
  return false;
#endif
}

static bool is_safe_owner(uid_t uid) {
  return uid == geteuid() || uid == 0 || is_unmapped(uid);
}

/* Is it a user private group, which has only that user as a member? */
static bool is_private_group(gid_t gid) {
  const struct passwd *user = getpwuid(geteuid());
  const struct group *group =
      user && user->pw_gid == gid ? getgrgid(gid) : NULL;
  if (group == NULL || strcmp(group->gr_name, user->pw_name) != 0) return false;
  for (char **member = group->gr_mem; member && *member; member++)
    if (strcmp(*member, user->pw_name) != 0) return false;
  return true;
}

static bool is_open_to_others(const struct stat *s) {
  if (s->st_mode & S_IWOTH) return true;
  return (s->st_mode & S_IWGRP) && !is_private_group(s->st_gid);
}

static bool refuse_owner(const char *path, const struct stat *s,
                         mt_Error *why) {
  mt_error(why, MT_FAIL,
           "%s belongs to another user (%lu, and this is %lu); set "
           "XDG_CACHE_HOME to a folder of yours",
           path, (unsigned long)s->st_uid, (unsigned long)geteuid());
  return false;
}

static bool refuse_mode(const char *path, mt_Error *why) {
  mt_error(why, MT_FAIL,
           "%s can be written by other users; close it with: chmod go-w %s",
           path, path);
  return false;
}

/* ----------------------------------------------------------------- the walk */

typedef struct Walk {
  char at[PATH_MAX];   /* the path so far, links resolved; "" is the root */
  char rest[PATH_MAX]; /* the path still to walk */
  int links;
} Walk;

/* Move the next part of 'rest' to 'part'; false: at the end. */
static bool take_part(Walk *w, char part[NAME_MAX + 1]) {
  size_t skip = strspn(w->rest, "/"), n = strcspn(w->rest + skip, "/");
  if (n == 0) return false;
  snprintf(part, NAME_MAX + 1, "%.*s", (int)n, w->rest + skip);
  memmove(w->rest, w->rest + skip + n, strlen(w->rest + skip + n) + 1);
  return true;
}

static void step_up(Walk *w) {
  char *slash = strrchr(w->at, '/');
  if (slash) *slash = '\0';
}

/* 'at' is a link: continue at its target. */
static bool follow(Walk *w, mt_Error *why) {
  char target[PATH_MAX], rest[PATH_MAX];
  ssize_t n = readlink(w->at, target, sizeof target - 1);
  if (n >= 0) target[n] = '\0';
  if (n < 0 || ++w->links > MOST_LINKS ||
      (size_t)snprintf(rest, sizeof rest, "%s/%s", target, w->rest) >=
          sizeof rest) {
    mt_error(why, MT_FAIL, "%s cannot be followed", w->at);
    return false;
  }
  if (target[0] == '/') w->at[0] = '\0';
  else step_up(w);
  strcpy(w->rest, rest);
  return true;
}

static bool is_safe_step(const char *path, const struct stat *s,
                         mt_Error *why) {
  if (!is_safe_owner(s->st_uid)) return refuse_owner(path, s, why);
  if (S_ISDIR(s->st_mode) && !(s->st_mode & S_ISVTX) && is_open_to_others(s))
    return refuse_mode(path, why);
  return true;
}

bool mt_path_is_owned(const char *path, mt_Error *why) {
  static Walk w; /* console thread; too large for a stack */
  char part[NAME_MAX + 1];
  struct stat s;
  w = (Walk){.links = 0};
  if ((size_t)snprintf(w.rest, sizeof w.rest, "%s", path) >= sizeof w.rest)
    return false;
  if (lstat("/", &s) != 0 || !is_safe_step("/", &s, why)) return false;
  while (take_part(&w, part)) {
    size_t n = strlen(w.at);
    if (strcmp(part, ".") == 0) continue;
    if (strcmp(part, "..") == 0) {
      step_up(&w);
      continue;
    }
    if ((size_t)snprintf(w.at + n, sizeof w.at - n, "/%s", part) >=
        sizeof w.at - n)
      return false;
    if (lstat(w.at, &s) != 0) return errno == ENOENT;
    if (!is_safe_step(w.at, &s, why)) return false;
    if (S_ISLNK(s.st_mode) && !follow(&w, why)) return false;
  }
  return true;
}

bool mt_folder_is_owned(const char *path, mt_Error *why) {
  struct stat s;
  if (!mt_path_is_owned(path, why)) return false;
  if (stat(path, &s) != 0 || !S_ISDIR(s.st_mode)) {
    mt_error(why, MT_FAIL, "%s is not a folder", path);
    return false;
  }
  if (s.st_uid != geteuid()) return refuse_owner(path, &s, why);
  if (s.st_mode & OTHERS) return refuse_mode(path, why);
  return true;
}

/* -------------------------------------------------------------------- files */

bool mt_file_is_owned(const struct stat *s) {
  return S_ISREG(s->st_mode) && s->st_uid == geteuid() &&
         !(s->st_mode & OTHERS);
}

mt_Status mt_file_read_owned(const char *path, size_t limit, mt_Str *out,
                        mt_Error *err) {
  struct stat s;
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return mt_error(err, MT_FAIL, "%s: %s", path, strerror(errno));
  mt_Status status =
      fstat(fd, &s) == 0 && mt_file_is_owned(&s)
          ? mt_file_read_fd(fd, path, limit, out, err)
          : mt_error(err, MT_FAIL, "%s: not a file of this user's alone", path);
  close(fd);
  return status;
}
