/*
** lower.c - lets an ELF file run on a C library older than the one that it was
** linked to, and lets it find its libraries beside itself.
**
**   lower FILE...
**   lower --own FILE...     only give libraries names of their own
**
** A file names a version for each symbol that it takes from the C library, and
** the loader refuses it where that version is missing. Many such symbols are
** old ones that only moved between libraries, or are in older_glibc.c. Their
** versions are removed here, and a version that no symbol needs any longer is
** replaced by the oldest in the file. (A weak need would do as well, but the
** loader complains of it.) Symbols that are not known keep their version.
**
** DT_RUNPATH becomes DT_RPATH, which holds for the libraries that a library
** needs, too, and comes before LD_LIBRARY_PATH. All changes are in place.
**
** With --own the names of libraries, the file's own and those that it needs,
** begin with mt_ and not lib, unless they are the C library's or Mettle's: so
** they can be loaded into a process that has others of the same name.
*/
#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define LAST_KEPT 31 /* versions after 2.31 are looked at */
#define MOST_VERSIONS 256

/* Moved to libc.so.6 in 2.32 to 2.34 from libpthread, libdl and librt. */
static const char *const moved[] = {"__pthread_key_create",
                                    "dladdr",
                                    "dlclose",
                                    "dlerror",
                                    "dlopen",
                                    "dlsym",
                                    "dlvsym",
                                    "dlinfo",
                                    "pthread_attr_setstacksize",
                                    "pthread_cond_clockwait",
                                    "pthread_create",
                                    "pthread_detach",
                                    "pthread_getaffinity_np",
                                    "pthread_getname_np",
                                    "pthread_getspecific",
                                    "pthread_join",
                                    "pthread_key_create",
                                    "pthread_key_delete",
                                    "pthread_kill",
                                    "pthread_mutex_trylock",
                                    "pthread_mutexattr_init",
                                    "pthread_mutexattr_settype",
                                    "pthread_mutexattr_destroy",
                                    "pthread_once",
                                    "pthread_rwlock_init",
                                    "pthread_rwlock_destroy",
                                    "pthread_rwlock_rdlock",
                                    "pthread_rwlock_tryrdlock",
                                    "pthread_rwlock_trywrlock",
                                    "pthread_rwlock_unlock",
                                    "pthread_rwlock_wrlock",
                                    "pthread_setaffinity_np",
                                    "pthread_setname_np",
                                    "pthread_setspecific",
                                    "pthread_sigmask",
                                    "pthread_attr_getstack",
                                    "pthread_getattr_np",
                                    "pthread_barrier_init",
                                    "pthread_barrier_wait",
                                    "pthread_barrier_destroy",
                                    "sem_init",
                                    "sem_destroy",
                                    "sem_post",
                                    "sem_wait",
                                    "sem_trywait",
                                    "sem_timedwait",
                                    "shm_open",
                                    "shm_unlink",
                                    "timer_create",
                                    "timer_delete",
                                    "timer_settime",
                                    NULL};

/* Defined by older_glibc.c. */
static const char *const added[] = {"__libc_single_threaded",
                                    "_dl_find_object",
                                    "arc4random",
                                    "fstat",
                                    "fstat64",
                                    "fstatat",
                                    "fstatat64",
                                    "lstat",
                                    "lstat64",
                                    "mallinfo2",
                                    "mknod",
                                    "stat",
                                    "stat64",
                                    NULL};

#define START "__libc_start_main"
#define OWN_START "mettle_start_main" /* as long */

typedef struct File {
  char *bytes;
  size_t size;
  const Elf64_Ehdr *head;
  Elf64_Shdr *sections;
} File;

static bool is_in(const char *name, const char *const *list) {
  for (; *list; list++)
    if (strcmp(name, *list) == 0) return true;
  return false;
}

static Elf64_Shdr *section(const File *f, unsigned type) {
  for (int i = 0; i < f->head->e_shnum; i++)
    if (f->sections[i].sh_type == type) return &f->sections[i];
  return NULL;
}

static char *strings_of(const File *f, const Elf64_Shdr *s) {
  return f->bytes + f->sections[s->sh_link].sh_offset;
}

/* ----------------------------------------------------------------- versions */

/* Which versions are too new: 'aux' by their index in the file. Returns the
** oldest one, which every C library of this machine's kind has; NULL: none. */
static const Elf64_Vernaux *find_new(const File *f,
                                     Elf64_Vernaux *aux[MOST_VERSIONS]) {
  const Elf64_Vernaux *oldest = NULL;
  int least = LAST_KEPT + 1;
  Elf64_Shdr *s = section(f, SHT_GNU_verneed);
  char *at = s ? f->bytes + s->sh_offset : NULL;
  for (unsigned i = 0; s && i < s->sh_info; i++) {
    Elf64_Verneed *need = (Elf64_Verneed *)at;
    char *a = at + need->vn_aux;
    for (unsigned j = 0; j < need->vn_cnt; j++) {
      Elf64_Vernaux *v = (Elf64_Vernaux *)a;
      const char *name = strings_of(f, s) + v->vna_name;
      int minor = strncmp(name, "GLIBC_2.", 8) == 0 ? atoi(name + 8) : 0;
      if (minor > LAST_KEPT && v->vna_other < MOST_VERSIONS)
        aux[v->vna_other] = v;
      if (minor > 0 && minor < least) least = minor, oldest = v;
      a += v->vna_next;
    }
    at += need->vn_next;
  }
  return oldest;
}

static void lower_versions(const File *f) {
  Elf64_Vernaux *aux[MOST_VERSIONS] = {NULL};
  bool needed[MOST_VERSIONS] = {false};
  Elf64_Shdr *dynsym = section(f, SHT_DYNSYM),
             *versym = section(f, SHT_GNU_versym);
  if (dynsym == NULL || versym == NULL) return;
  Elf64_Sym *symbols = (Elf64_Sym *)(f->bytes + dynsym->sh_offset);
  Elf64_Half *versions = (Elf64_Half *)(f->bytes + versym->sh_offset);
  const Elf64_Vernaux *oldest = find_new(f, aux);
  if (oldest == NULL) return;
  for (size_t i = 0; i < dynsym->sh_size / sizeof *symbols; i++) {
    unsigned v = versions[i] & 0x7fff;
    char *name = strings_of(f, dynsym) + symbols[i].st_name;
    if (symbols[i].st_shndx != SHN_UNDEF || v >= MOST_VERSIONS ||
        aux[v] == NULL)
      continue;
    if (strcmp(name, START) == 0) memcpy(name, OWN_START, sizeof START);
    else if (!is_in(name, moved) && !is_in(name, added)) {
      needed[v] = true;
      continue;
    }
    versions[i] = VER_NDX_GLOBAL;
  }
  for (int v = 0; v < MOST_VERSIONS; v++) {
    if (aux[v] == NULL || needed[v]) continue;
    aux[v]->vna_name = oldest->vna_name;
    aux[v]->vna_hash = oldest->vna_hash;
  }
}

/* -------------------------------------------------------------------- paths */

static void change_path(const File *f) {
  Elf64_Shdr *s = section(f, SHT_DYNAMIC);
  Elf64_Dyn *d = s ? (Elf64_Dyn *)(f->bytes + s->sh_offset) : NULL;
  for (; d && d->d_tag != DT_NULL; d++)
    if (d->d_tag == DT_RUNPATH) d->d_tag = DT_RPATH;
}

/* -------------------------------------------------------------------- names */

static bool is_shared(const char *name) {
  static const char *const c_library[] = {
      "libc.so", "libm.so", "libdl.so", "libpthread.so", "librt.so",
      "libutil.so", "libresolv.so", "libmettle", NULL};
  if (strncmp(name, "lib", 3) != 0) return true;
  for (const char *const *c = c_library; *c; c++)
    if (strncmp(name, *c, strlen(*c)) == 0) return true;
  return false;
}

static void take_name(char *name) {
  if (!is_shared(name)) memcpy(name, "mt_", 3);
}

/* The same string may serve as a name and as the name of versions' file. */
static void own_names(const File *f) {
  Elf64_Shdr *s = section(f, SHT_DYNAMIC), *v = section(f, SHT_GNU_verneed);
  Elf64_Dyn *d = s ? (Elf64_Dyn *)(f->bytes + s->sh_offset) : NULL;
  for (; d && d->d_tag != DT_NULL; d++)
    if (d->d_tag == DT_NEEDED || d->d_tag == DT_SONAME)
      take_name(strings_of(f, s) + d->d_un.d_val);
  char *at = v ? f->bytes + v->sh_offset : NULL;
  for (unsigned i = 0; v && i < v->sh_info; i++) {
    Elf64_Verneed *need = (Elf64_Verneed *)at;
    take_name(strings_of(f, v) + need->vn_file);
    at += need->vn_next;
  }
}

static bool lower(const char *path, bool own) {
  struct stat s;
  int fd = open(path, O_RDWR);
  char *bytes = MAP_FAILED;
  if (fd >= 0 && fstat(fd, &s) == 0)
    bytes = mmap(NULL, (size_t)s.st_size, PROT_READ | PROT_WRITE, MAP_SHARED,
                 fd, 0);
  if (fd >= 0) close(fd);
  if (bytes == MAP_FAILED) return perror(path), false;
  File f = {bytes, (size_t)s.st_size, (const Elf64_Ehdr *)bytes, NULL};
  bool good = f.size > sizeof *f.head && memcmp(bytes, ELFMAG, SELFMAG) == 0 &&
              bytes[EI_CLASS] == ELFCLASS64 && f.head->e_shoff &&
              f.head->e_shoff + f.head->e_shnum * sizeof(Elf64_Shdr) <= f.size;
  if (good) {
    f.sections = (Elf64_Shdr *)(bytes + f.head->e_shoff);
    if (own) own_names(&f);
    else lower_versions(&f), change_path(&f);
  } else
    fprintf(stderr, "lower: %s is no ELF file of 64 bits with sections\n",
            path);
  munmap(bytes, f.size);
  return good;
}

int main(int argc, char **argv) {
  bool own = argc > 1 && strcmp(argv[1], "--own") == 0;
  for (int i = own ? 2 : 1; i < argc; i++)
    if (!lower(argv[i], own)) return 1;
  return 0;
}
