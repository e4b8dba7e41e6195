/*
** older_glibc.c - what the files of a bundle need of a C library newer than the
** one they may meet (docs/bundle.md).
**
** The library is searched after the C library. So each definition here is used
** only where the C library has none: lower.c has removed the versions from
** these symbols. Nothing here may need a new symbol itself, and the functions
** that were moved to libc.so.6 in 2.34 are found in their old places by what
** this library is linked to (libpthread, libdl, librt). What the C library of
** the build machine does not have, no file can need.
*/
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <gnu/libc-version.h>
#include <link.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PUBLIC __attribute__((visibility("default")))

/* ----------------------------------------------------- 2.33: stat and mknod */

/* (in older ones only as inline functions over __xstat) */
#define STAT(suffix)                                                     \
  PUBLIC int stat##suffix(const char *path, struct stat##suffix *out) {  \
    return (int)syscall(SYS_newfstatat, AT_FDCWD, path, out, 0);         \
  }                                                                      \
  PUBLIC int lstat##suffix(const char *path, struct stat##suffix *out) { \
    return (int)syscall(SYS_newfstatat, AT_FDCWD, path, out,             \
                        AT_SYMLINK_NOFOLLOW);                            \
  }                                                                      \
  PUBLIC int fstat##suffix(int fd, struct stat##suffix *out) {           \
    return (int)syscall(SYS_fstat, fd, out);                             \
  }                                                                      \
  PUBLIC int fstatat##suffix(int fd, const char *path,                   \
                             struct stat##suffix *out, int flags) {      \
    return (int)syscall(SYS_newfstatat, fd, path, out, flags);           \
  }
STAT()
STAT(64)

PUBLIC int mknod(const char *path, mode_t mode, dev_t device) {
  return (int)syscall(SYS_mknodat, AT_FDCWD, path, mode, (unsigned)device);
}

/* ---------------------------------------------------------- small functions */

PUBLIC char __libc_single_threaded = 0; /* 2.32; 0: there may be threads */

#if __GLIBC_PREREQ(2, 33)
PUBLIC struct mallinfo2 mallinfo2(void) {
  _Pragma("GCC diagnostic push")
  _Pragma("GCC diagnostic ignored \"-Wdeprecated-declarations\"")
  struct mallinfo m = mallinfo();
  _Pragma("GCC diagnostic pop") struct mallinfo2 wide = {
      (unsigned)m.arena,   (unsigned)m.ordblks,  (unsigned)m.smblks,
      (unsigned)m.hblks,   (unsigned)m.hblkhd,   (unsigned)m.usmblks,
      (unsigned)m.fsmblks, (unsigned)m.uordblks, (unsigned)m.fordblks,
      (unsigned)m.keepcost};
  return wide;
}
#endif

PUBLIC uint32_t arc4random(void) { /* 2.36 */
  uint32_t n;
  while (syscall(SYS_getrandom, &n, sizeof n, 0) != (long)sizeof n) continue;
  return n;
}

/* --------------------------------------- 2.35: where an exception's code is */

#if __GLIBC_PREREQ(2, 35)
typedef struct Wanted {
  uintptr_t address;
  struct dl_find_object *out;
} Wanted;

static int look(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  Wanted *w = data;
  const ElfW(Phdr) *frames = NULL;
  uintptr_t low = UINTPTR_MAX, high = 0;
  bool inside = false;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    uintptr_t start = info->dlpi_addr + p->p_vaddr;
    if (p->p_type == PT_GNU_EH_FRAME) frames = p;
    if (p->p_type != PT_LOAD) continue;
    if (start < low) low = start;
    if (start + p->p_memsz > high) high = start + p->p_memsz;
    if (w->address >= start && w->address < start + p->p_memsz) inside = true;
  }
  if (!inside) return 0;
  w->out->dlfo_map_start = (void *)low;
  w->out->dlfo_map_end = (void *)high;
  w->out->dlfo_eh_frame =
      frames ? (void *)(info->dlpi_addr + frames->p_vaddr) : NULL;
  return 1;
}

PUBLIC int _dl_find_object(void *address, struct dl_find_object *out) {
  Wanted w = {(uintptr_t)address, out};
  memset(out, 0, sizeof *out);
  return dl_iterate_phdr(look, &w) && out->dlfo_eh_frame ? 0 : -1;
}
#endif

/* ---------------------------------------------- 2.34: a program's beginning */

typedef int Main(int argc, char **argv, char **env);
typedef void Constructor(int argc, char **argv, char **env);
typedef int Start(Main *main, int argc, char **argv, void (*init)(void),
                  void (*fini)(void), void (*unload)(void), void *stack);

/* The constructors of the program itself: since 2.34 the C library calls them,
** before that a function did that was linked into each program. */
static void construct(int argc, char **argv, char **env) {
  const ElfW(Phdr) *headers = (const ElfW(Phdr) *)getauxval(AT_PHDR);
  const ElfW(Dyn) *dynamic = NULL;
  uintptr_t base = 0;
  for (unsigned long i = 0; i < getauxval(AT_PHNUM); i++)
    if (headers[i].p_type == PT_PHDR)
      base = (uintptr_t)headers - headers[i].p_vaddr;
  for (unsigned long i = 0; i < getauxval(AT_PHNUM); i++)
    if (headers[i].p_type == PT_DYNAMIC)
      dynamic = (const ElfW(Dyn) *)(base + headers[i].p_vaddr);
  uintptr_t init = 0, list = 0;
  size_t size = 0;
  for (; dynamic && dynamic->d_tag != DT_NULL; dynamic++) {
    if (dynamic->d_tag == DT_INIT) init = base + dynamic->d_un.d_ptr;
    if (dynamic->d_tag == DT_INIT_ARRAY) list = base + dynamic->d_un.d_ptr;
    if (dynamic->d_tag == DT_INIT_ARRAYSZ) size = dynamic->d_un.d_val;
  }
  if (init) ((Constructor *)init)(argc, argv, env);
  for (size_t i = 0; i < size / sizeof(Constructor *); i++)
    ((Constructor **)list)[i](argc, argv, env);
}

/* __libc_start_main, as lower.c names it in a bundle's programs. */
PUBLIC int mettle_start_main(Main *main, int argc, char **argv,
                             void (*init)(void), void (*fini)(void),
                             void (*unload)(void), void *stack) {
  Start *start = (Start *)dlsym(RTLD_DEFAULT, "__libc_start_main");
  const char *version = strchr(gnu_get_libc_version(), '.');
  if (init == NULL && version && atoi(version + 1) < 34)
    init = (void (*)(void))construct;
  return start(main, argc, argv, init, fini, unload, stack);
}
