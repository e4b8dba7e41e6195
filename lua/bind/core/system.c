/*
** system.c - require "mettle.system": the clock, the terminal, folders.
**
** Only for the modules in lua/; users' scripts have Lua's own os and io.
*/
#include "lua/bind/core/system.h"

#include <dirent.h>
#include <errno.h>
#include <lauxlib.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/cancel.h"
#include "base/clock.h"
#include "base/terminal/columns.h"
#include "base/distance.h"
#include "base/files/confine.h"
#include "base/files/file.h"
#include "base/files/lock.h"
#include "base/pool.h"
#include "base/files/user_file.h"
#include "base/version.h"
#include "lua/bind/core/core.h"
#include "lua/bind/core/devices.h"
#include "lua/bind/core/fields.h"
#include "base/files/folders.h"
#include "base/files/confined_paths.h"

/* now() -> seconds since some fixed moment, monotonic */
static int system_now(lua_State *L) {
  lua_pushnumber(L, (lua_Number)mt_now_ns() * 1e-9);
  return 1;
}

/* list(folder) -> sorted names in it; empty if it cannot be read */
static int system_list(lua_State *L) {
  const char *path = mt_lua_check_text(L, 1);
  lua_settop(L, 1);
  lua_newtable(L);
  mt_Str *names = mt_lua_new_str(L);
  DIR *dir = opendir(path);
  if (dir == NULL) return lua_settop(L, 2), 1;
  /* copied first, so that nothing raises while it is open */
  for (struct dirent *e; (e = readdir(dir)) != NULL;)
    if (e->d_name[0] != '.')
      mt_str_add_bytes(names, e->d_name, strlen(e->d_name) + 1);
  closedir(dir);
  lua_Integer n = 0;
  for (size_t at = 0; at < names->length; at += strlen(names->text + at) + 1) {
    lua_pushstring(L, names->text + at);
    lua_rawseti(L, 2, ++n);
  }
  lua_settop(L, 2);
  lua_getglobal(L, "table");
  lua_getfield(L, -1, "sort");
  lua_pushvalue(L, 2);
  lua_call(L, 1, 0);
  lua_settop(L, 2);
  return 1;
}

/* threads(n): kernels and references use n threads from now on; 0: default */
static int system_threads(lua_State *L) {
  mt_pool_resize((unsigned)luaL_checkinteger(L, 1));
  return 0;
}

int mt_lua_columns(void) {
  struct winsize size;
  bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

/* width() -> columns of the terminal, 80 if there is none */
static int system_width(lua_State *L) {
  lua_pushinteger(L, mt_lua_columns());
  return 1;
}

/* columns(text) -> columns of a terminal that the text takes */
static int system_columns(lua_State *L) {
  size_t n;
  const char *text = luaL_checklstring(L, 1, &n);
  lua_pushinteger(L, mt_columns(text, n));
  return 1;
}

/* fits(text, columns) -> bytes of its beginning that take no more than these */
static int system_fits(lua_State *L) {
  size_t n, i = 0;
  const char *text = luaL_checklstring(L, 1, &n);
  lua_Integer left = luaL_checkinteger(L, 2);
  while (i < n) {
    int columns;
    size_t length = mt_columns_next(text + i, n - i, &columns);
    if ((left -= columns) < 0) break;
    i += length;
  }
  lua_pushinteger(L, (lua_Integer)i);
  return 1;
}

/* fold(line, columns) -> the line broken between words; what follows its first
** row is indented like it, and two more */
static int system_fold(lua_State *L) {
  size_t n;
  const char *line = luaL_checklstring(L, 1, &n);
  mt_Fold fold = {.columns = (int)luaL_checkinteger(L, 2),
                  .indent = (int)strspn(line, " ") + 2};
  mt_Str *out = mt_lua_new_str(L);
  mt_columns_fold(out, line, n, fold);
  mt_lua_push_text(L, out);
  return 1;
}

/* distance(a, b) -> the edits from one word to the other */
static int system_distance(lua_State *L) {
  lua_pushinteger(L, (lua_Integer)mt_distance(luaL_checkstring(L, 1),
                                              luaL_checkstring(L, 2)));
  return 1;
}

/* height() -> lines of the terminal, 24 if there is none */
static int system_height(lua_State *L) {
  struct winsize size;
  int lines = 24;
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0)
    lines = size.ws_row;
  lua_pushinteger(L, lines);
  return 1;
}

/* terminal([2]) -> is standard output (or error) a terminal? */
static int system_terminal(lua_State *L) {
  lua_pushboolean(L, isatty((int)luaL_optinteger(L, 1, STDOUT_FILENO)));
  return 1;
}

static int save(lua_State *L, bool keep) {
  size_t n;
  const char *path = mt_lua_check_text(L, 1);
  const char *text = luaL_checklstring(L, 2, &n);
  mt_Error err;
  if (mt_user_file_save(path, text, n, 0644, keep, &err) != MT_OK)
    return mt_lua_raise(L, &err);
  return 0;
}

/* write(path, text): the whole file atomically, or an error; see
** base/files/user_file.h */
static int system_write(lua_State *L) { return save(L, false); }

/* keep(path, text): the same, and synced when it returns */
static int system_keep(lua_State *L) { return save(L, true); }

/* place(path, text): into a folder that others write to: whatever has that
** name, a link of theirs too, is replaced, never written into */
static int system_place(lua_State *L) {
  size_t n;
  const char *path = mt_lua_check_text(L, 1);
  const char *text = luaL_checklstring(L, 2, &n);
  mt_Error err;
  if (mt_file_write(path, text, n, 0644, &err) != MT_OK)
    return mt_lua_raise(L, &err);
  return 0;
}

/* create(path, text) -> true; false if that name exists */
static int system_create(lua_State *L) {
  size_t n;
  const char *path = mt_lua_check_text(L, 1);
  const char *text = luaL_checklstring(L, 2, &n);
  bool made;
  mt_Error err;
  if (mt_user_file_create(path, text, n, 0644, &made, &err) != MT_OK)
    return mt_lua_raise(L, &err);
  lua_pushboolean(L, made);
  return 1;
}

/* make(path): a folder, with the parents that are missing */
static int system_make(lua_State *L) {
  mt_Error err;
  if (mt_dir_make(mt_lua_check_text(L, 1), 0777, &err) != MT_OK)
    return mt_lua_raise(L, &err);
  return 0;
}

/* there(path) -> "file", "folder", "link" (a dangling one) or "other"; nil if
** nothing has that name. An inaccessible path counts as "other". */
static int system_there(lua_State *L) {
  const char *path = mt_lua_check_text(L, 1);
  struct stat st;
  const char *what = "other";
  if (stat(path, &st) == 0)
    what = S_ISREG(st.st_mode)   ? "file"
           : S_ISDIR(st.st_mode) ? "folder"
                                 : "other";
  else if (lstat(path, &st) == 0)
    what = S_ISLNK(st.st_mode) ? "link" : "other";
  else if (errno == ENOENT || errno == ENOTDIR)
    return 0;
  lua_pushstring(L, what);
  return 1;
}

/* alone(lock file, f, ...) -> what f returns. Of all calls with the same file,
** in any process, only one runs its f at a time */
static int system_alone(lua_State *L) {
  const char *path = mt_lua_check_text(L, 1);
  int lock;
  mt_Error err;
  luaL_checkany(L, 2);
  if (mt_lock_take(path, 10, &lock, &err) != MT_OK)
    return mt_lua_raise(L, &err);
  int status = lua_pcall(L, lua_gettop(L) - 2, LUA_MULTRET, 0);
  mt_lock_drop(lock);
  return status == LUA_OK ? lua_gettop(L) - 1 : lua_error(L);
}

/* folder([path]) -> the current folder, absolute; then go to 'path' */
static int system_folder(lua_State *L) {
  char now[PATH_MAX];
  const char *path = mt_lua_opt_text(L, 1, NULL);
  if (getcwd(now, sizeof now) == NULL)
    return luaL_error(L, "the current folder: %s", strerror(errno));
  if (path && chdir(path) != 0)
    return luaL_error(L, "%s: %s", path, strerror(errno));
  lua_pushstring(L, now);
  return 1;
}

/* scratch() -> a new empty folder, which the caller removes */
static int system_scratch(lua_State *L) {
  const char *top = getenv("TMPDIR");
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/mettle-XXXXXX", top && *top ? top : "/tmp");
  if (mkdtemp(path) == NULL)
    return luaL_error(L, "%s: %s", path, strerror(errno));
  lua_pushstring(L, path);
  return 1;
}

/* sleep(seconds): returns early when Ctrl-C is pressed */
static int system_sleep(lua_State *L) {
  lua_Number seconds = luaL_checknumber(L, 1);
  uint64_t end = mt_now_ns() + (seconds > 0 ? (uint64_t)(seconds * 1e9) : 0);
  for (uint64_t now; (now = mt_now_ns()) < end && !mt_cancelled();) {
    uint64_t left = (end - now) / 1000 + 1;
    usleep(left < 10000 ? (useconds_t)left : 10000);
  }
  return 0;
}

/* alarm(seconds): the process ends after that time, unless alarm is called
** again; 0 cancels it */
static int system_alarm(lua_State *L) {
  alarm((unsigned)luaL_checkinteger(L, 1));
  return 0;
}

/*
** attempt(f, ...) -> true, results | false, message. Like pcall, but Ctrl-C
** ends only 'f': the console's hook that stops all Lua code is removed, so that
** the caller can return partial results. It must then return without delay.
** stop() restores the hook and raises: there are no partial results.
*/
static struct {
  lua_Hook hook;
  int mask, count;
} taken_off; /* one is enough: Ctrl-C is meant for the whole process */

static int system_stop(lua_State *L) {
  if (taken_off.hook) {
    lua_sethook(L, taken_off.hook, taken_off.mask, taken_off.count);
    mt_cancel_request();
  }
  return luaL_error(L, "interrupted");
}

void mt_lua_hold_interrupt(lua_State *L) {
  taken_off.hook = lua_gethook(L);
  taken_off.mask = lua_gethookmask(L);
  taken_off.count = lua_gethookcount(L);
  lua_sethook(L, NULL, 0, 0);
  mt_cancel_clear();
}

static int system_attempt(lua_State *L) {
  luaL_checkany(L, 1);
  int status = lua_pcall(L, lua_gettop(L) - 1, LUA_MULTRET, 0);
  if (status == LUA_OK) {
    lua_pushboolean(L, 1);
    lua_insert(L, 1);
    return lua_gettop(L);
  }
  if (mt_cancelled()) {
    mt_lua_hold_interrupt(L);
    lua_pushliteral(L, "interrupted");
  }
  lua_pushboolean(L, 0);
  lua_insert(L, -2);
  return 2;
}

/* visible(text) -> text without control characters; newlines and tabs stay */
static int system_visible(lua_State *L) {
  size_t n;
  const char *text = luaL_checklstring(L, 1, &n);
  mt_Str *shown = mt_lua_new_str(L);
  mt_str_add_visible(shown, text, n, "\n\t");
  mt_lua_push_text(L, shown);
  return 1;
}

/* Read the list of folders at 'arg' into 'out'; nils are left out. */
static void read_folders(lua_State *L, int arg, const char **out, size_t most) {
  luaL_checktype(L, arg, LUA_TTABLE);
  size_t n = 0;
  for (lua_Integer i = 1; i <= (lua_Integer)most && n + 1 < most; i++) {
    lua_rawgeti(L, arg, i);
    const char *folder = lua_tostring(L, -1);
    if (folder) out[n++] = folder;
    lua_pop(L, 1); /* the table keeps it */
  }
  out[n] = NULL;
}

/* confine({folders to read}, {to write}, {Mettle's own}): permanent
** (base/files/confine.h) */
static int system_confine(lua_State *L) {
  const char *readable[8], *writable[8], *own[8];
  read_folders(L, 1, readable, 8);
  read_folders(L, 2, writable, 8);
  read_folders(L, 3, own, 8);
  mt_lua_confining(L);
  mt_confine(readable, writable, own);
  return 0;
}

/* allowed(path, to_write) -> boolean */
static int system_allowed(lua_State *L) {
  lua_pushboolean(
      L, mt_confine_allows(mt_lua_check_text(L, 1), lua_toboolean(L, 2)));
  return 1;
}

static int open_system(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"now", system_now},           {"list", system_list},
      {"columns", system_columns},   {"fits", system_fits},
      {"fold", system_fold},         {"height", system_height},
      {"distance", system_distance},
      {"width", system_width},       {"terminal", system_terminal},
      {"write", system_write},       {"attempt", system_attempt},
      {"stop", system_stop},         {"keep", system_keep},
      {"create", system_create},     {"there", system_there},
      {"place", system_place},
      {"alone", system_alone},       {"make", system_make},
      {"sleep", system_sleep},       {"folder", system_folder},
      {"scratch", system_scratch},   {"threads", system_threads},
      {"alarm", system_alarm},
      {"visible", system_visible},   {"confine", system_confine},
      {"allowed", system_allowed},
      {NULL, NULL}};
  struct utsname machine;
  luaL_newlib(L, functions);
  mt_lua_set_string(L, "version", MT_VERSION);
  mt_lua_set_string(L, "data", mt_dir_data());
  mt_lua_set_string(L, "program", mt_program_path());
  mt_lua_set_string(L, "state", mt_dir_state());
  mt_lua_set_string(L, "cache", mt_dir_cache());
  if (uname(&machine) == 0) {
    mt_lua_set_string(L, "os", machine.sysname);
    mt_lua_set_string(L, "host", machine.nodename);
    mt_lua_set_string(L, "release", machine.release);
    mt_lua_set_string(L, "architecture", machine.machine);
  }
  lua_pushinteger(L, mt_pool_size());
  lua_setfield(L, -2, "cores");
  return 1;
}

void mt_lua_open_system(lua_State *L) {
  lua_getglobal(L, "package");
  lua_getfield(L, -1, "preload");
  lua_pushcfunction(L, open_system);
  lua_setfield(L, -2, "mettle.system");
  lua_pop(L, 2);
}
