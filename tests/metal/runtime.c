/*
** runtime.c - messages, ownership and autorelease pools of the stand-in.
**
** objc_msgSend saves the argument registers, asks standin_lookup for the
** function, restores them and jumps: the function sees the call as its caller
** made it, structs by value and floating-point results included.
*/
#define _GNU_SOURCE
#include "tests/metal/runtime.h"
#include "tests/metal/personality.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char standin_class_mark[] = "class";

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int problems;
static unsigned made, alive;

void standin_problem(const char *format, ...) {
  va_list args;
  pthread_mutex_lock(&lock);
  va_start(args, format);
  fputs("PROBLEM: ", stderr);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
  problems++;
  pthread_mutex_unlock(&lock);
}

/* ----------------------------------------------------- selectors, classes */

#define SELECTORS (1 << 14)
static const char *selectors[SELECTORS]; /* a hash table of names */

Selector sel_registerName(const char *name) {
  unsigned hash = 5381;
  for (const char *c = name; *c; c++) hash = hash * 33 ^ (unsigned char)*c;
  pthread_mutex_lock(&lock);
  for (hash %= SELECTORS;
       selectors[hash] && strcmp(selectors[hash], name) != 0;)
    hash = (hash + 1) % SELECTORS;
  if (selectors[hash] == NULL) selectors[hash] = strdup(name);
  pthread_mutex_unlock(&lock);
  return selectors[hash];
}

const ClassOf *objc_lookUpClass(const char *name) {
  for (int i = 0; standin_classes[i]; i++)
    if (strcmp(standin_classes[i]->name, name) == 0) return standin_classes[i];
  return NULL;
}

void *objc_getProtocol(const char *name) {
  (void)name;
  return NULL;
}

static const Method *find(const Method *m, const char *selector, bool class) {
  for (; m && m->selector; m++)
    if ((m->selector[0] == '+') == class &&
        strcmp(m->selector + class, selector) == 0)
      return m;
  return NULL;
}

static const Method *method_of(const ClassOf *class, const char *selector,
                               bool is_class) {
  const Method *m = find(class->methods, selector, is_class);
  return m ? m : find(standin_object_methods, selector, is_class);
}

/* Messages that macOS 13 does not know. */
static const struct {
  const char *selector;
  int macos;
} later[] = {{"setMathMode:", 15},
             {"setMathFloatingPointFunctions:", 15},
             {"setEnableLogging:", 15},
             {"newLogStateWithDescriptor:error:", 15},
             {"setLogState:", 15},
             {"addLogHandler:", 15},
             {"requiredThreadsPerThreadgroup", 26}};

static bool comes_later(const char *selector) {
  for (size_t i = 0; i < sizeof later / sizeof *later; i++)
    if (strcmp(later[i].selector, selector) == 0)
      return later[i].macos > standin_macos();
  return false;
}

/* Called by the trampolines below. macOS would abort where this does. */
__attribute__((used)) void *standin_lookup(Object *receiver,
                                           Selector selector) {
  bool is_class = (const void *)receiver->isa == standin_class_mark;
  const ClassOf *class = is_class ? (const ClassOf *)receiver : receiver->isa;
  if (!is_class && receiver->dead) {
    standin_problem("message %s to %s %u, which is gone", selector, class->name,
                    receiver->number);
    _Exit(3);
  }
  const Method *m = method_of(class, selector, is_class);
  if (m == NULL || comes_later(selector)) {
    standin_problem("%c[%s %s]: unrecognized selector", is_class ? '+' : '-',
                    class->name, selector);
    _Exit(3);
  }
  return (void *)m->function;
}

/* A message to nil does nothing and gives zero. */
#if defined(__x86_64__)
#define SAVE_AND_ASK(receiver, selector)                             \
  "  push %rbp\n  mov %rsp, %rbp\n  sub $192, %rsp\n"                \
  "  mov %rdi, (%rsp)\n  mov %rsi, 8(%rsp)\n  mov %rdx, 16(%rsp)\n"  \
  "  mov %rcx, 24(%rsp)\n  mov %r8, 32(%rsp)\n  mov %r9, 40(%rsp)\n" \
  "  mov %rax, 48(%rsp)\n"                                           \
  "  movups %xmm0, 64(%rsp)\n  movups %xmm1, 80(%rsp)\n"             \
  "  movups %xmm2, 96(%rsp)\n"                                       \
  "  movups %xmm3, 112(%rsp)\n  movups %xmm4, 128(%rsp)\n"           \
  "  movups %xmm5, 144(%rsp)\n  movups %xmm6, 160(%rsp)\n"           \
  "  movups %xmm7, 176(%rsp)\n"                                      \
  "  mov " receiver ", %rdi\n  mov " selector                        \
  ", %rsi\n  call standin_lookup\n"                                  \
  "  mov %rax, %r11\n"                                               \
  "  movups 64(%rsp), %xmm0\n  movups 80(%rsp), %xmm1\n"             \
  "  movups 96(%rsp), %xmm2\n"                                       \
  "  movups 112(%rsp), %xmm3\n  movups 128(%rsp), %xmm4\n"           \
  "  movups 144(%rsp), %xmm5\n  movups 160(%rsp), %xmm6\n"           \
  "  movups 176(%rsp), %xmm7\n"                                      \
  "  mov (%rsp), %rdi\n  mov 8(%rsp), %rsi\n  mov 16(%rsp), %rdx\n"  \
  "  mov 24(%rsp), %rcx\n  mov 32(%rsp), %r8\n  mov 40(%rsp), %r9\n" \
  "  mov 48(%rsp), %rax\n  leave\n  jmp *%r11\n"
__asm__(
    ".text\n.globl objc_msgSend\n.type objc_msgSend, @function\n"
    "objc_msgSend:\n"
    "  test %rdi, %rdi\n  jz 1f\n" SAVE_AND_ASK(
        "%rdi",
        "%rsi") "1: xor %eax, %eax\n  xor %edx, %edx\n  xorps %xmm0, %xmm0\n"
                "  xorps %xmm1, %xmm1\n  ret\n");
/* Large structs come back through memory: its address is the first argument. */
__asm__(".text\n.globl objc_msgSend_stret\n"
        ".type objc_msgSend_stret, @function\n"
        "objc_msgSend_stret:\n  test %rsi, %rsi\n  jz 1f\n" SAVE_AND_ASK(
            "%rsi", "%rdx") "1: mov %rdi, %rax\n  ret\n");
__asm__(".globl objc_msgSend_fpret\n.set objc_msgSend_fpret, objc_msgSend\n");
#elif defined(__aarch64__)
__asm__(".text\n.globl objc_msgSend\n.type objc_msgSend, %function\n"
        ".p2align 2\nobjc_msgSend:\n"
        "  cbz x0, 1f\n  stp x29, x30, [sp, #-16]!\n  mov x29, sp\n"
        "  sub sp, sp, #208\n"
        "  stp x0, x1, [sp]\n  stp x2, x3, [sp, #16]\n  stp x4, x5, [sp, #32]\n"
        "  stp x6, x7, [sp, #48]\n  str x8, [sp, #64]\n"
        "  stp q0, q1, [sp, #80]\n  stp q2, q3, [sp, #112]\n"
        "  stp q4, q5, [sp, #144]\n"
        "  stp q6, q7, [sp, #176]\n  bl standin_lookup\n  mov x17, x0\n"
        "  ldp x0, x1, [sp]\n  ldp x2, x3, [sp, #16]\n  ldp x4, x5, [sp, #32]\n"
        "  ldp x6, x7, [sp, #48]\n  ldr x8, [sp, #64]\n"
        "  ldp q0, q1, [sp, #80]\n  ldp q2, q3, [sp, #112]\n"
        "  ldp q4, q5, [sp, #144]\n"
        "  ldp q6, q7, [sp, #176]\n  mov sp, x29\n"
        "  ldp x29, x30, [sp], #16\n  br x17\n"
        "1: mov x0, #0\n  mov x1, #0\n  movi d0, #0\n  movi d1, #0\n"
        "  movi d2, #0\n"
        "  movi d3, #0\n  ret\n");
__asm__(".globl objc_msgSend_stret\n.set objc_msgSend_stret, objc_msgSend\n"
        ".globl objc_msgSend_fpret\n.set objc_msgSend_fpret, objc_msgSend\n");
#else
#error "the stand-in runtime knows x86-64 and aarch64"
#endif

/* ---------------------------------------------------------------- objects */

/* Every object ever made, to name what leaks. */
static Object **all;
static size_t all_room;

void *standin_new(const ClassOf *class) {
  Object *o = calloc(1, class->size);
  o->isa = class;
  o->count = 1;
  pthread_mutex_lock(&lock);
  o->number = ++made;
  alive++;
  if (made >= all_room)
    all = realloc(all, (all_room = made * 2 + 1024) * sizeof *all);
  all[made - 1] = o;
  pthread_mutex_unlock(&lock);
  return o;
}

void *standin_retain(void *object) {
  Object *o = object;
  pthread_mutex_lock(&lock);
  if (o && o->dead)
    standin_problem("retain of %s %u, which is gone", o->isa->name, o->number);
  if (o) o->count++;
  pthread_mutex_unlock(&lock);
  return o;
}

void standin_release(void *object) {
  Object *o = object;
  if (o == NULL) return;
  pthread_mutex_lock(&lock);
  if (o->dead)
    standin_problem("%s %u is released once too often", o->isa->name,
                    o->number);
  bool last = !o->dead && --o->count == 0;
  if (last) o->dead = true, alive--;
  pthread_mutex_unlock(&lock);
  if (last && o->isa->destroy) o->isa->destroy(o);
}

/* ------------------------------------------------------------------ pools */

/* Pools nest, for each thread on its own: a pool is a mark in this list. */
static _Thread_local Object *waiting[1 << 16];
static _Thread_local int waiting_count;
static _Thread_local int pools;

typedef struct PoolObject {
  Object head;
  int mark;  /* what waited when it was made */
  int depth; /* pools open then, itself included */
} PoolObject;

void *standin_autorelease(void *object) {
  Object *o = object;
  if (pools == 0)
    standin_problem("%s %u is autoreleased without a pool: it leaks",
                    o->isa->name, o->number);
  else if (waiting_count == 1 << 16)
    standin_problem("an autorelease pool is never drained");
  else waiting[waiting_count++] = o;
  return o;
}

static void *pool_init(PoolObject *p, Selector s) {
  (void)s;
  p->mark = waiting_count;
  p->depth = ++pools;
  return p;
}

static void pool_destroy(Object *o) {
  PoolObject *p = (PoolObject *)o;
  if (p->depth != pools)
    standin_problem("autorelease pools are drained out of order");
  while (waiting_count > p->mark) standin_release(waiting[--waiting_count]);
  pools--;
}

static const Method pool_methods[] = {METHOD("init", pool_init), {NULL, NULL}};
const ClassOf standin_NSAutoreleasePool = {
    standin_class_mark, "NSAutoreleasePool", sizeof(PoolObject), pool_methods,
    pool_destroy};

/* ------------------------------------------------ what every object answers */

static void *object_alloc(const ClassOf *class, Selector s) {
  (void)s;
  return standin_new(class);
}
static void *object_init(Object *o, Selector s) { (void)s; return o; }
static void *object_retain(Object *o, Selector s) {
  (void)s;
  return standin_retain(o);
}
static void object_release(Object *o, Selector s) {
  (void)s;
  standin_release(o);
}
static void *object_autorelease(Object *o, Selector s) {
  (void)s;
  return standin_autorelease(o);
}
static uint64_t object_count(Object *o, Selector s) {
  (void)s;
  return (uint64_t)o->count;
}
static bool object_responds(Object *o, Selector s, Selector asked) {
  (void)s;
  return method_of(o->isa, asked, false) != NULL;
}
static void *object_signature(Object *o, Selector s, Selector asked) {
  (void)o, (void)s, (void)asked;
  return NULL;
}

const Method standin_object_methods[] = {
    METHOD("+alloc", object_alloc),
    METHOD("init", object_init),
    METHOD("retain", object_retain),
    METHOD("release", object_release),
    METHOD("drain", object_release),
    METHOD("autorelease", object_autorelease),
    METHOD("retainCount", object_count),
    METHOD("respondsToSelector:", object_responds),
    METHOD("methodSignatureForSelector:", object_signature),
    {NULL, NULL}};

/* ----------------------------------------------------------------- finish */

int standin_finish(bool midway) {
  pthread_mutex_lock(&lock);
  for (unsigned i = 0; !midway && i < made && alive; i++)
    if (!all[i]->dead)
      standin_problem("%s %u leaks with %ld owner%s", all[i]->isa->name,
                      all[i]->number, all[i]->count,
                      all[i]->count == 1 ? "" : "s");
  pthread_mutex_unlock(&lock);
  return problems;
}
