/*
** launch.c - starts a program of a bundle on whatever C library there is
** (docs/bundle.md).
**
** A program names its loader by an absolute path, and the kernel starts it by
** that: where the file is missing, or is another C library's, nothing can be
** said. So a bundle's programs are in lib/mettle/program, and in their places
** is this one, which needs no loader. It does what the kernel would have done:
** it maps the program and a loader, tells the loader of the program and goes
** there. The loader is the system's, if that is glibc of 2.35 or later and as
** new as the bundle's files need (lib/mettle/glibc.txt), or else the bundle's
** own, in lib/mettle/glibc; then the folder comes first where the program looks
** for libraries (DT_RPATH). No process is started, so that /proc/self/exe is
** this file: who starts it again comes here again, and $ORIGIN is this file's
** folder. METTLE_GLIBC=own takes the bundle's own.
**
** There is no C library and no relocation: no pointer may be in static data.
** PROGRAM and GLIBC are set by the Makefile, relative to this file's folder.
*/
#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#define HEAD 4096 /* the ELF header and the program headers fit */
#define LONGEST 4096 /* of a path */

#if defined(__x86_64__)
#define LOADER "ld-linux-x86-64.so.2"
#define SYSTEM_LOADER "/lib64/" LOADER
#define MACHINE EM_X86_64
#elif defined(__aarch64__)
#define LOADER "ld-linux-aarch64.so.1"
#define SYSTEM_LOADER "/lib/" LOADER
#define MACHINE EM_AARCH64
#endif

/* A version that libraries' symbols have since 2.35; the loader has it, too. */
#define NEW_ENOUGH "GLIBC_2.35"

/* ----------------------------------------------------------------- entering */

/* The stack is the loader's when it is its turn: argc, argv, the environment
** and the auxiliary vector, as the kernel left them. */
#if defined(__x86_64__)
__asm__(".globl _start\n"
        "_start:\n"
        "  xorl %ebp, %ebp\n"
        "  movq %rsp, %rdi\n"
        "  call launch\n"
        "  xorl %edx, %edx\n" /* a function for atexit; none */
        "  jmp *%rax\n");

static long call(long n, long a, long b, long c, long d, long e, long f) {
  register long r10 __asm__("r10") = d, r8 __asm__("r8") = e,
                r9 __asm__("r9") = f;
  long out;
  __asm__ volatile("syscall"
                   : "=a"(out)
                   : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return out;
}
#elif defined(__aarch64__)
__asm__(".globl _start\n"
        "_start:\n"
        "  mov x29, #0\n"
        "  mov x30, #0\n"
        "  mov x0, sp\n"
        "  bl launch\n"
        "  mov x16, x0\n"
        "  mov x0, #0\n"
        "  br x16\n");

static long call(long n, long a, long b, long c, long d, long e, long f) {
  register long x8 __asm__("x8") = n, x0 __asm__("x0") = a,
                x1 __asm__("x1") = b, x2 __asm__("x2") = c,
                x3 __asm__("x3") = d, x4 __asm__("x4") = e,
                x5 __asm__("x5") = f;
  __asm__ volatile("svc #0"
                   : "+r"(x0)
                   : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                   : "memory");
  return x0;
}
#endif

/* ----------------------------------------------------- what a C library has */

/* (compilers call these two by themselves) */
void *memset(void *to, int byte, size_t n) {
  for (volatile char *p = to; n > 0; n--) *p++ = (char)byte;
  return to;
}

void *memcpy(void *to, const void *from, size_t n) {
  const char *f = from;
  for (volatile char *p = to; n > 0; n--) *p++ = *f++;
  return to;
}

static size_t length(const char *s) {
  size_t n = 0;
  while (s[n]) n++;
  return n;
}

static bool is_same(const char *a, const char *b) {
  while (*a && *a == *b) a++, b++;
  return *a == *b;
}

/* Append 's' to 'path', which has LONGEST bytes; false: too long. */
static bool append(char *path, const char *s) {
  size_t n = length(path), more = length(s);
  if (n + more >= LONGEST) return false;
  memcpy(path + n, s, more + 1);
  return true;
}

static void say(const char *s) {
  call(SYS_write, 2, (long)s, (long)length(s), 0, 0, 0);
}

static void die(const char *what, const char *path) {
  say("mettle: ");
  say(path);
  say(what);
  say("; unpack or install the bundle again\n");
  call(SYS_exit_group, 127, 0, 0, 0, 0, 0);
}

static void *map(uintptr_t at, size_t size, int protection, int flags, int fd,
                 uint64_t offset) {
  long got = call(SYS_mmap, (long)at, (long)size, protection, flags, fd,
                  (long)offset);
  return got < 0 && got > -4096 ? NULL : (void *)got;
}

/* ------------------------------------------------------------------ mapping */

typedef struct Image {
  uintptr_t base; /* what is added to the addresses in the file */
  uintptr_t start, size; /* what was reserved */
  uintptr_t entry;
  const Elf64_Phdr *headers; /* in memory */
  unsigned count;
  Elf64_Dyn *dynamic; /* NULL: none */
} Image;

static int protection_of(const Elf64_Phdr *p) {
  return (p->p_flags & PF_R ? PROT_READ : 0) |
         (p->p_flags & PF_W ? PROT_WRITE : 0) |
         (p->p_flags & PF_X ? PROT_EXEC : 0);
}

static bool is_program(const Elf64_Ehdr *h) {
  return h->e_ident[0] == 0x7f && h->e_ident[1] == 'E' &&
         h->e_ident[2] == 'L' && h->e_ident[3] == 'F' &&
         h->e_ident[EI_CLASS] == ELFCLASS64 && h->e_machine == MACHINE &&
         h->e_type == ET_DYN && h->e_phentsize == sizeof(Elf64_Phdr) &&
         h->e_phoff < HEAD &&
         h->e_phnum <= (HEAD - h->e_phoff) / sizeof(Elf64_Phdr);
}

/* Reserve one piece for all segments, so that nothing comes between them. */
static bool reserve(Image *to, const Elf64_Phdr *p, unsigned n,
                    uintptr_t page) {
  uintptr_t low = UINTPTR_MAX, high = 0, align = page;
  for (unsigned i = 0; i < n; i++) {
    if (p[i].p_type != PT_LOAD) continue;
    if (p[i].p_vaddr < low) low = p[i].p_vaddr;
    if (p[i].p_vaddr + p[i].p_memsz > high) high = p[i].p_vaddr + p[i].p_memsz;
    if (p[i].p_align > align) align = p[i].p_align;
  }
  if (low >= high) return false;
  low &= -align;
  to->size = ((high - low + page - 1) & -page) + align - page;
  void *got = map(0, to->size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  to->start = (uintptr_t)got;
  to->base = ((to->start + align - 1) & -align) - low;
  return got != NULL;
}

static bool map_segment(const Image *to, const Elf64_Phdr *p, int fd,
                        uintptr_t page) {
  uintptr_t at = to->base + p->p_vaddr, first = at & -page;
  uintptr_t filled = at + p->p_filesz, end = at + p->p_memsz;
  uintptr_t whole = (filled + page - 1) & -page;
  int protection = protection_of(p);
  if (p->p_filesz > 0 &&
      !map(first, filled - first, protection, MAP_PRIVATE | MAP_FIXED, fd,
           p->p_offset & -page))
    return false;
  if (end <= filled) return true;
  if (p->p_filesz == 0) whole = first;
  if (whole > filled) memset((void *)filled, 0, whole - filled);
  return end <= whole || map(whole, end - whole, protection,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

static bool map_open(int fd, uintptr_t page, Image *to) {
  char head[HEAD] __attribute__((aligned(16)));
  const Elf64_Ehdr *h = (const Elf64_Ehdr *)head;
  if (call(SYS_pread64, fd, (long)head, HEAD, 0, 0, 0) != HEAD ||
      !is_program(h))
    return false;
  const Elf64_Phdr *p = (const Elf64_Phdr *)(head + h->e_phoff);
  if (!reserve(to, p, h->e_phnum, page)) return false;
  for (unsigned i = 0; i < h->e_phnum; i++) {
    if (p[i].p_type == PT_LOAD && !map_segment(to, &p[i], fd, page))
      return false;
    if (p[i].p_type == PT_LOAD && p[i].p_offset <= h->e_phoff &&
        h->e_phoff < p[i].p_offset + p[i].p_filesz)
      to->headers = (const Elf64_Phdr *)(to->base + p[i].p_vaddr +
                                         h->e_phoff - p[i].p_offset);
    if (p[i].p_type == PT_DYNAMIC)
      to->dynamic = (Elf64_Dyn *)(to->base + p[i].p_vaddr);
  }
  to->entry = to->base + h->e_entry;
  to->count = h->e_phnum;
  return to->headers != NULL;
}

static bool map_file(const char *path, uintptr_t page, Image *to) {
  memset(to, 0, sizeof *to);
  long fd = call(SYS_openat, AT_FDCWD, (long)path, O_RDONLY | O_CLOEXEC, 0, 0,
                 0);
  if (fd < 0) return false;
  bool good = map_open((int)fd, page, to);
  call(SYS_close, fd, 0, 0, 0, 0, 0);
  return good;
}

/* --------------------------------------------------------------- the loader */

static Elf64_Dyn *entry_of(const Image *i, int64_t tag) {
  for (Elf64_Dyn *d = i->dynamic; d && d->d_tag != DT_NULL; d++)
    if (d->d_tag == tag) return d;
  return NULL;
}

static bool has_version(const Image *loader) {
  const Elf64_Dyn *names = entry_of(loader, DT_STRTAB),
                  *size = entry_of(loader, DT_STRSZ);
  if (!names || !size) return false;
  const char *s = (const char *)loader->base + names->d_un.d_ptr;
  const char *end = s + size->d_un.d_val;
  for (; s < end; s += length(s) + 1)
    if (is_same(s, NEW_ENOUGH)) return true;
  return false;
}

/* "36" of "36.": 0 if there is no digit. */
static unsigned number(const char *s, const char *end) {
  unsigned n = 0;
  for (; s < end && *s >= '0' && *s <= '9' && n < 1000; s++)
    n = n * 10 + (unsigned)(*s - '0');
  return n;
}

/* What follows 'word' in [s, end), or NULL. */
static const char *after(const char *word, const char *s, const char *end) {
  for (size_t n = length(word), i; s + n <= end; s++) {
    for (i = 0; i < n && s[i] == word[i]; i++) continue;
    if (i == n) return s + n;
  }
  return NULL;
}

/* The loader's symbols have no version after 2.35. It tells its own in a
** sentence, "ld.so (…) stable release version 2.43.": 43, or 0. */
static unsigned minor_of(const Image *loader) {
  for (unsigned i = 0; i < loader->count; i++) {
    const Elf64_Phdr *p = &loader->headers[i];
    if (p->p_type != PT_LOAD || !(p->p_flags & PF_R)) continue;
    const char *s = (const char *)loader->base + p->p_vaddr;
    const char *end = s + p->p_filesz;
    const char *found = after(" release version 2.", s, end);
    if (found) return number(found, end);
  }
  return 0;
}

/* As scripts/bundle wrote it: "2.43". Where there is none nothing is known, and
** no system's is new enough. */
static unsigned needed_minor(const char *folder) {
  char path[LONGEST] = "", text[16];
  if (!append(path, folder) || !append(path, GLIBC ".txt")) return UINT32_MAX;
  long fd = call(SYS_openat, AT_FDCWD, (long)path, O_RDONLY | O_CLOEXEC, 0, 0,
                 0);
  if (fd < 0) return UINT32_MAX;
  long n = call(SYS_read, fd, (long)text, sizeof text, 0, 0, 0);
  call(SYS_close, fd, 0, 0, 0, 0, 0);
  unsigned minor = n > 2 ? number(text + 2, text + n) : 0;
  return minor > 0 ? minor : UINT32_MAX;
}

static bool is_new_enough(const Image *loader, unsigned minor) {
  return has_version(loader) && (minor <= 35 || minor_of(loader) >= minor);
}

static bool wants_own(char **env) {
  for (; *env; env++)
    if (is_same(*env, "METTLE_GLIBC=own")) return true;
  return false;
}

/* The folder of the bundle's C library before the others. The loader adds what
** an entry says to the address of the names, wherever that leads. */
static bool look_there_first(const Image *program) {
  static char path[LONGEST];
  Elf64_Dyn *where = entry_of(program, DT_RPATH);
  const Elf64_Dyn *names = entry_of(program, DT_STRTAB);
  if (!where || !names) return false;
  uintptr_t text = program->base + names->d_un.d_ptr;
  if (!append(path, "$ORIGIN/" GLIBC ":") ||
      !append(path, (const char *)text + where->d_un.d_val))
    return false;
  where->d_un.d_val = (uintptr_t)path - text;
  return true;
}

/* ----------------------------------------------------------------- starting */

static Elf64_auxv_t *value(Elf64_auxv_t *all, uint64_t type) {
  for (; all->a_type != AT_NULL; all++)
    if (all->a_type == type) return all;
  return NULL;
}

static void set(Elf64_auxv_t *all, uint64_t type, uintptr_t to) {
  Elf64_auxv_t *found = value(all, type);
  if (found) found->a_un.a_val = to;
}

/* This file's folder, with the slash at its end. */
static void find_folder(char out[LONGEST], Elf64_auxv_t *all) {
  long n = call(SYS_readlinkat, AT_FDCWD, (long)"/proc/self/exe", (long)out,
                LONGEST - 1, 0, 0);
  out[n > 0 ? n : 0] = '\0';
  const Elf64_auxv_t *name = value(all, AT_EXECFN);
  if (n <= 0 && name) append(out, (const char *)name->a_un.a_val);
  size_t end = length(out);
  while (end > 0 && out[end - 1] != '/') end--;
  out[end] = '\0';
}

/* Called by _start: returns where to go on. */
__attribute__((used)) uintptr_t launch(uintptr_t *stack) {
  char **env = (char **)(stack + stack[0] + 2), **end = env;
  while (*end) end++;
  Elf64_auxv_t *all = (Elf64_auxv_t *)(end + 1);
  const Elf64_auxv_t *size = value(all, AT_PAGESZ);
  uintptr_t page = size ? size->a_un.a_val : 4096;
  char path[LONGEST], own[LONGEST];
  find_folder(path, all);
  find_folder(own, all);
  unsigned minor = needed_minor(own);
  Image program, loader;
  if (!append(path, PROGRAM) || !map_file(path, page, &program))
    die(" cannot be loaded", path);
  bool there = !wants_own(env) && map_file(SYSTEM_LOADER, page, &loader);
  if (there && !is_new_enough(&loader, minor)) {
    call(SYS_munmap, (long)loader.start, (long)loader.size, 0, 0, 0, 0);
    there = false;
  }
  if (!there && (!append(own, GLIBC "/" LOADER) ||
                 !map_file(own, page, &loader) || !look_there_first(&program)))
    die(" cannot be loaded", own);
  set(all, AT_PHDR, (uintptr_t)program.headers);
  set(all, AT_PHNUM, program.count);
  set(all, AT_ENTRY, program.entry);
  set(all, AT_BASE, loader.base);
  return loader.entry;
}
