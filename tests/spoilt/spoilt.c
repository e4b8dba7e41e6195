/*
** spoilt.c - spoilt sources by the million, through processes that live long.
**
**   spoilt [compile | read] [count=N] [seed=N] [from=N] [workers=N]
**           [seconds=N] [hang=N] [out=FOLDER]
**
** A worker for each core takes one source after another (trial.h) and is never
** replaced, unless it dies: then this source is a crash, its source is kept
** below 'out', and another worker goes on. One that takes longer over a source
** than 'hang' seconds is ended: a hang. A worker whose memory or number of open
** files grows leaks; the source with the largest step is named. So the
** processes share where they are.
**
** A source is made of 'seed' and its number: from=N count=1 tries one alone, in
** this process, for a debugger; from=N goes on where another run stopped.
*/
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/files/folders.h"
#include "tests/c/find_module.h"
#include "tests/spoilt/trial.h"

#define MOST_WORKERS 256
#define HANG 240      /* s for one source; Clang's own limit is below */
#define SECOND 1000000000ull
#define WARM 300      /* sources before a worker's memory is first measured */
#define GROWTH 48     /* MB that a worker may grow afterwards */
#define FILES 16      /* more open files than it had then */
#define MOST_KEPT 200 /* files of each kind of fault */

typedef struct Worker {
  pid_t id;                /* 0: not running */
  _Atomic uint64_t number; /* the source that it is at */
  _Atomic uint64_t since;  /* mt_now_ns; 0: between two */
  atomic_ulong done;       /* in this life of it */
  atomic_ulong first_kb, last_kb; /* its memory: when warm, and now */
  atomic_ulong step_kb;           /* the most that one source added since */
  _Atomic uint64_t step_number;   /* and which it was */
  atomic_uint first_files, last_files;
} Worker;

typedef struct Work {
  uint64_t seed, first, end, deadline, began, hang;
  _Atomic uint64_t next; /* number to be taken */
  atomic_ulong done, compiled, launched, refused, words, stopped, broken;
  atomic_uint kept[3];
  unsigned long crashes, hangs, leaks; /* counted by the workers' starter */
  Worker worker[MOST_WORKERS];
} Work;

static Work *work;
static Worker *me;
static bool reads;
static const char *out = "build/spoilt";
static volatile sig_atomic_t interrupted;

/* --------------------------------------------------------------------- kept */

/* A spoilt source and what is to be said of it, as two files. */
static void keep(uint64_t number, const char *what, const char *message) {
  mt_Str path = MT_STR_INIT, text = MT_STR_INIT, said = MT_STR_INIT;
  const char *file = spoilt_source(work->seed, number, &text);
  mt_str_addf(&said, "%s: seed %llu, number %llu of %s\n%s\n", what,
              (unsigned long long)work->seed, (unsigned long long)number,
              file ? file : "?", message);
  mt_str_addf(&path, "%s/%s-%llu-%llu.metal", out, reads ? "read" : "compile",
              (unsigned long long)work->seed, (unsigned long long)number);
  mt_file_write(mt_str_text(&path), mt_str_text(&text), text.length, 0644,
                NULL);
  path.text[path.length - 5] = 't'; /* .txt */
  path.text[path.length - 4] = 'x';
  path.text[path.length - 3] = 't';
  path.text[path.length - 2] = '\0';
  mt_file_write(mt_str_text(&path), said.text, said.length, 0644, NULL);
  fprintf(stderr, "\n%s", mt_str_text(&said));
  mt_str_free(&path);
  mt_str_free(&text);
  mt_str_free(&said);
}

static void reported(Fault kind, const char *what, const char *message) {
  atomic_ulong *counts[] = {&work->words, &work->stopped, &work->broken};
  ++*counts[kind];
  if (work->kept[kind]++ >= MOST_KEPT) return;
  uint64_t before = state; /* what follows is to be the same without it */
  keep(me->number, what, message);
  state = before;
}

/* ------------------------------------------------------------------ workers */

static unsigned long memory_kb(void) {
  unsigned long pages = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  if (f && fscanf(f, "%*u %lu", &pages) != 1) pages = 0;
  if (f) fclose(f);
  return pages * ((unsigned long)sysconf(_SC_PAGESIZE) >> 10);
}

static unsigned open_files(void) {
  unsigned n = 0;
  for (int fd = 0; fd < 1024; fd++) n += fcntl(fd, F_GETFD) != -1;
  return n;
}

/* after each source */
static void measure_memory(void) {
  unsigned long now = memory_kb(), before = me->last_kb;
  me->last_kb = now;
  if (me->done <= WARM || now <= before + me->step_kb) return;
  me->step_kb = now - before;
  me->step_number = me->number;
}

static void measure(void) {
  me->last_files = open_files();
  if (me->done != WARM) return;
  me->first_kb = me->last_kb;
  me->first_files = me->last_files;
}

static void try_number(uint64_t number) {
  mt_Str text = MT_STR_INIT;
  me->number = number;
  me->since = mt_now_ns();
  if (spoilt_source(work->seed, number, &text)) {
    Outcome o = reads ? read_source(&text) : try_source(&text);
    work->compiled += o.compiled;
    work->launched += o.launched;
    work->refused += o.refused;
  }
  mt_str_free(&text);
  me->since = 0;
  work->done++;
  me->done++;
  measure_memory();
  if (me->done % 100 == 0) measure();
}

static void open_device(void) {
  mt_Error err;
  if (reads || mt_device_open("host", &device, &err) == MT_OK) return;
  fprintf(stderr, "%s\n", err.text);
  exit(1);
}

static void try_all(void) {
  pid_t parent = getppid();
  while (mt_now_ns() < work->deadline && getppid() == parent) {
    uint64_t number = work->next++;
    if (number >= work->end) break;
    try_number(number);
  }
  measure();
}

static void start(Worker *w) {
  fflush(NULL);
  w->since = 0;
  w->done = w->first_kb = w->first_files = w->step_kb = 0;
  pid_t id = fork();
  if (id != 0) {
    w->id = id;
    return;
  }
  me = w;
  signal(SIGINT, SIG_IGN);
  open_device();
  try_all();
  mt_device_close(device);
  exit(0); /* ends Clang, too */
}

/* A worker that has ended: did it leak, or die? */
static void bury(Worker *w, int status) {
  char what[64];
  bool grew = w->first_kb && w->last_kb > w->first_kb + GROWTH * 1024;
  bool opened = w->first_files && w->last_files > w->first_files + FILES;
  w->id = 0;
  printf("worker %d: %lu sources, %.1f MB when warm, %.1f MB at the end; "
         "%u and %u open files%s\n",
         (int)(w - work->worker), w->done, (double)w->first_kb / 1024,
         (double)w->last_kb / 1024, w->first_files, w->last_files,
         grew || opened ? ": a leak" : "");
  if (grew)
    printf("worker %d: number %llu added %.1f MB, the most of all\n",
           (int)(w - work->worker), (unsigned long long)w->step_number,
           (double)w->step_kb / 1024);
  work->leaks += grew || opened;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
  if (WIFSIGNALED(status))
    snprintf(what, sizeof what, "signal %d", WTERMSIG(status));
  else
    snprintf(what, sizeof what, "status %d", WEXITSTATUS(status));
  bool hung = w->since && mt_now_ns() - w->since > work->hang;
  *(hung ? &work->hangs : &work->crashes) += 1;
  keep(w->number, hung ? "hang" : "crash", what);
  work->done++;
  if (w->done || w->since) start(w); /* it had begun at all */
}

/* True: it goes on. */
static bool attend(Worker *w) {
  int status;
  if (w->id <= 0) return false;
  uint64_t since = w->since, now = mt_now_ns();
  if (waitpid(w->id, &status, WNOHANG) == w->id) bury(w, status);
  else if (since && now > since && now - since > work->hang)
    kill(w->id, SIGKILL);
  return w->id > 0;
}

/* ----------------------------------------------------------------- progress */

/* The first number that is not known to be tried. */
static uint64_t reached(unsigned workers) {
  uint64_t at = work->next < work->end ? work->next : work->end;
  for (unsigned i = 0; i < workers; i++)
    if (work->worker[i].since && work->worker[i].number < at)
      at = work->worker[i].number;
  return at;
}

static void show_progress(bool now) {
  static uint64_t last;
  bool screen = isatty(STDOUT_FILENO);
  uint64_t t = mt_now_ns(), each = screen ? 1 : 10;
  if (!now && t - last < each * 1000000000u) return;
  last = t;
  double seconds = (double)(t - work->began) / 1e9;
  double rate = (double)work->done / (seconds > 0 ? seconds : 1);
  double left = (double)(work->end - work->first - work->done) /
                (rate > 0 ? rate : 1);
  double limit = ((double)work->deadline - (double)t) / 1e9;
  if (left > limit) left = limit > 0 ? limit : 0;
  printf("%s%lu sources, %.0f a second, %lu compile, %lu run, %lu crashes, "
         "%lu with internals; %.0f s left%s",
         screen ? "\r" : "", work->done, rate, work->compiled, work->launched,
         work->crashes, work->words, left, screen ? "\033[K" : "\n");
  fflush(stdout);
}

static int summary(unsigned workers) {
  uint64_t at = reached(workers);
  show_progress(true);
  printf("\n%s: seed %llu, from %llu to %llu%s\n", reads ? "read" : "compile",
         (unsigned long long)work->seed, (unsigned long long)work->first,
         (unsigned long long)at,
         at < work->end ? "; the rest: from= that number" : "");
  if (!reads)
    printf("%lu compile, %lu were run, %lu launches were refused; Clang was "
           "stopped over %lu and gave up over %lu\n",
           work->compiled, work->launched, work->refused, work->stopped,
           work->broken);
  if (work->leaks) printf("%lu workers leak\n", work->leaks);
  printf("%lu sources, %lu crashes, %lu messages with internals, %lu hangs\n",
         work->done, work->crashes, work->words, work->hangs);
  return work->crashes || work->words || work->hangs || work->leaks;
}

static void interrupt(int signal_number) {
  (void)signal_number;
  interrupted = 1;
}

/* The precompiled headers are made once, and not by each worker. */
static void make_headers(void) {
  static const char text[] = "kernel void k() {}\n";
  pid_t id = reads ? 0 : fork();
  mt_MslModule *m = NULL;
  mt_Error err;
  if (reads) return;
  if (id == 0) {
    mt_msl_compile(text, sizeof text - 1, NULL, &m, &err);
    if (m == NULL) fprintf(stderr, "%s\n", err.text);
    exit(m == NULL);
  }
  int status = 1;
  waitpid(id, &status, 0);
  if (status) exit(1);
}

static int try_with(unsigned workers) {
  if (work->end - work->first == 1) { /* here, for a debugger */
    me = &work->worker[0];
    open_device();
    try_all();
    mt_device_close(device);
    return summary(1);
  }
  signal(SIGINT, interrupt);
  make_headers();
  work->began = mt_now_ns();
  for (unsigned i = 0; i < workers; i++) start(&work->worker[i]);
  for (bool any = true; any; usleep(50000)) {
    any = false;
    if (interrupted) work->deadline = 0;
    for (unsigned i = 0; i < workers; i++) any |= attend(&work->worker[i]);
    show_progress(false);
  }
  return summary(workers);
}

/* ------------------------------------------------------------------ options */

static uint64_t option(int argc, char **argv, const char *name,
                       uint64_t otherwise) {
  size_t n = strlen(name);
  for (int i = 1; i < argc; i++)
    if (strncmp(argv[i], name, n) == 0 && argv[i][n] == '=')
      return strtoull(argv[i] + n + 1, NULL, 10);
  return otherwise;
}

/* Below 'out' are the kept files, and a cache of its own. False: no folder. */
static bool make_folders(int argc, char **argv) {
  static char path[4096];
  char cache[5000];
  for (int i = 1; i < argc; i++)
    if (strncmp(argv[i], "out=", 4) == 0) out = argv[i] + 4;
  mkdir("build", 0755);
  if (mkdir(out, 0755) != 0 && errno != EEXIST) return false;
  if (realpath(out, path) == NULL) return false;
  out = path;
  snprintf(cache, sizeof cache, "%s/cache", out);
  mkdir(cache, 0700);
  return setenv("XDG_CACHE_HOME", cache, 1) == 0;
}

int main(int argc, char **argv) {
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  uint64_t workers = option(argc, argv, "workers", (uint64_t)cores),
           seconds = option(argc, argv, "seconds", 100000000);
  if (workers < 1 || workers > MOST_WORKERS) workers = 1;
  work = mmap(NULL, sizeof *work, PROT_READ | PROT_WRITE,
              MAP_SHARED | MAP_ANON, -1, 0);
  if (work == MAP_FAILED) return 2;
  reads = argc > 1 && strcmp(argv[1], "read") == 0;
  work->seed = option(argc, argv, "seed", 1);
  work->first = work->next = option(argc, argv, "from", 0);
  work->end = work->first + option(argc, argv, "count", 1000000);
  work->began = mt_now_ns();
  work->deadline = work->began + seconds * SECOND;
  work->hang = option(argc, argv, "hang", HANG) * SECOND;
  /* launches by few threads of each worker, and of quick code */
  setenv("METTLE_THREADS", "2", 0);
  setenv("METTLE_TIER", "quick", 0);
  if (find_module(NULL) != 0 || !make_folders(argc, argv) ||
      mt_dir_data() == NULL || chdir(mt_dir_data()) != 0 || !find_files()) {
    fprintf(stderr, "spoilt: the sources below tests/msl and kernels, or a "
                    "folder to keep files in, are missing\n");
    return 2;
  }
  int status = try_with((unsigned)workers);
  free_files();
  return status;
}
