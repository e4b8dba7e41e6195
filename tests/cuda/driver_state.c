/*
** driver_state.c - what is played, which objects there are, and the words for a
** call that is wrong (driver.h).
*/
#define _GNU_SOURCE
#include "tests/cuda/driver.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Thread_local Context *current_context;
uint64_t count_launches, count_steps, count_modules;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Object *all;
static struct Count {
  struct Count *next;
  const char *name;
  unsigned calls;
} *counts;
static bool initialised;
static unsigned problems;

/* -------------------------------------------------------------- personality */

static uint64_t amount(const char *s) {
  char *end;
  uint64_t n = strtoull(s, &end, 0);
  return *end == 'G'   ? n << 30
         : *end == 'M' ? n << 20
         : *end == 'K' ? n << 10
                       : n;
}

static unsigned ptx_of_driver(int version) {
  int major = version / 1000, minor = version % 1000 / 10;
  if (major == 12)
    return minor <= 5 ? 80u + (unsigned)minor : 79u + (unsigned)minor;
  return (unsigned)((major - 4) * 10 + minor);
}

static void one_word(Personality *p, const char *w) {
  const char *value = strchr(w, '=');
  size_t n = value ? (size_t)(value - w) : strlen(w);
  value = value ? value + 1 : "";
#define IS(name) (strlen(name) == n && strncmp(w, name, n) == 0)
  if (IS("none"))
    p->init = NO_DEVICE;
  else if (IS("init"))
    p->init = atoi(value);
  else if (IS("driver"))
    p->driver = atoi(value);
  else if (IS("sm"))
    p->capability = (unsigned)atoi(value);
  else if (IS("gpus"))
    p->gpus = atoi(value);
  else if (IS("memory"))
    p->memory = amount(value);
  else if (IS("lost"))
    p->lost = amount(value);
  else if (IS("ptx"))
    p->ptx = (unsigned)atoi(value);
  else if (IS("steps"))
    p->steps = amount(value);
  else if (IS("apart"))
    p->apart = true;
  else if (IS("counts"))
    p->counts = true;
  else if (IS("fail")) {
    if (sscanf(value, "%63[^:]:%u:%d", p->fail_name, &p->fail_at,
               &p->fail_with) != 3)
      fprintf(stderr, "cuda stand-in: fail=NAME:N:ERROR, not '%s'\n", w),
          exit(2);
  } else {
    fprintf(stderr, "cuda stand-in: CUDA_STANDIN has no word '%s'\n", w);
    exit(2);
  }
#undef IS
}

const Personality *personality(void) {
  static Personality p;
  if (p.gpus != 0) return &p;
  p = (Personality){.driver = 12080,
                    .gpus = 1,
                    .capability = 90,
                    .memory = (uint64_t)8 << 30};
  const char *words = getenv("CUDA_STANDIN");
  char *copy = strdup(words ? words : ""), *rest = copy, *w;
  while ((w = strsep(&rest, ",")) != NULL)
    if (*w != '\0') one_word(&p, w);
  free(copy);
  if (p.ptx == 0) p.ptx = ptx_of_driver(p.driver);
  return &p;
}

/* ------------------------------------------------------------------ objects */

Object *objects(void) { return all; }

Object *object_new(ObjectKind kind, size_t size, Context *c) {
  Object *o = calloc(1, size);
  o->kind = kind;
  o->alive = true;
  o->context = c;
  o->next = all;
  all = o;
  return o;
}

void *object_of(const void *handle, ObjectKind kind, bool *was) {
  *was = false;
  for (Object *o = all; o != NULL; o = o->next)
    if (o == handle && o->kind == kind) {
      *was = !o->alive;
      return o->alive ? o : NULL;
    }
  return NULL;
}

void *need_object(Call *c, const void *handle, ObjectKind kind,
                  CUresult *error) {
  static const char *const names[] = {"context", "stream", "event", "module",
                                      "function", "link"};
  bool was;
  Object *o = object_of(handle, kind, &was);
  if (o == NULL)
    *error =
        problem(c, kind == OBJ_CONTEXT ? INVALID_CONTEXT : INVALID_HANDLE,
                "%p is no %s%s", handle, names[kind], was ? " any more" : "");
  else if (o->context != NULL && c->context != NULL && o->context != c->context)
    *error = problem(c, INVALID_HANDLE, "%p is a %s of another context", handle,
                     names[kind]),
    o = NULL;
  return o;
}

/* -------------------------------------------------------------------- calls */

CUresult problem(Call *c, CUresult error, const char *format, ...) {
  va_list a;
  fprintf(stderr, "cuda stand-in: PROBLEM: %s: ", c->name);
  va_start(a, format);
  vfprintf(stderr, format, a);
  va_end(a);
  fputc('\n', stderr);
  problems++;
  const char *strict = getenv("METTLE_CUDA_STRICT");
  if (strict != NULL && strcmp(strict, "abort") == 0) abort();
  return error;
}

static void tell(void) {
  fprintf(stderr,
          "cuda stand-in: %llu launches, %llu thread instructions, %llu "
          "modules, %u problems\n",
          (unsigned long long)count_launches, (unsigned long long)count_steps,
          (unsigned long long)count_modules, problems);
  for (struct Count *c = counts; c != NULL; c = c->next)
    fprintf(stderr, "cuda stand-in: %s %u\n", c->name, c->calls);
}

static unsigned count(const char *name) {
  struct Count *c;
  for (c = counts; c != NULL && strcmp(c->name, name) != 0;) c = c->next;
  if (c == NULL) {
    c = calloc(1, sizeof *c);
    c->name = name;
    c->next = counts;
    counts = c;
  }
  return ++c->calls;
}

Call call_begin(const char *name, int flags) {
  pthread_mutex_lock(&lock);
  Call c = {.name = name, .context = current_context};
  const Personality *p = personality();
  unsigned n = count(name);
  bool is_init = strcmp(name, "cuInit") == 0;
  if (p->fail_at != 0 && n == p->fail_at && strcmp(name, p->fail_name) == 0)
    c.error = p->fail_with;
  else if (is_init) {
    if (!initialised && p->counts) atexit(tell);
    c.error = p->init;
    initialised = initialised || c.error == OK;
  } else if (!initialised && strcmp(name, "cuDriverGetVersion") != 0) {
    c.error = p->init != OK
                  ? NOT_INITIALIZED
                  : problem(&c, NOT_INITIALIZED, "cuInit was not called");
  } else if (!(flags & ANY)) {
    if (c.context == NULL)
      c.error = problem(&c, INVALID_CONTEXT, "no context is current");
    else if (!c.context->head.alive)
      c.error = problem(&c, INVALID_CONTEXT, "the current context has ended");
    else
      c.error = c.context->sticky;
  }
  /* call_end is not called where the function returns at once */
  if (c.error != OK) pthread_mutex_unlock(&lock);
  return c;
}

void call_end(Call *c) {
  if (c->error == OK) pthread_mutex_unlock(&lock);
}

void unlock_a_moment(void) {
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&lock);
}
