/*
** runtime.h - a stand-in Objective-C runtime, to run the Metal device on
** any Linux machine and to watch every message it sends.
**
** An object is a C struct that starts with Object; a class is a table of C
** functions by selector. objc_msgSend looks the function up, checks what can be
** checked of any message (a known selector, a live receiver), and jumps to it.
** Dead objects are kept, so that a message to one is seen. Whatever Metal would
** abort on, drop or leak is a "problem": reported on standard error, counted,
** and turned into the exit status.
*/
#ifndef MT_STANDIN_RUNTIME_H
#define MT_STANDIN_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ClassOf ClassOf;
typedef struct Object Object;
typedef const char *Selector;

/* A method: its selector, with '+' before it if the class itself has it. */
typedef struct Method {
  const char *selector;
  void (*function)(void);
} Method;

#define METHOD(selector, function) {selector, (void (*)(void))(function)}

struct ClassOf {
  const void *isa;          /* &standin_class_mark */
  const char *name;
  size_t size;              /* of its objects */
  const Method *methods;    /* ended by a NULL selector */
  void (*destroy)(Object *o); /* lets go of what it owns; or NULL */
};

struct Object {
  const ClassOf *isa;
  long count;     /* owners */
  unsigned number; /* of this object, in the order of making */
  bool dead;
};

extern const char standin_class_mark[];

/* Classes that objc_lookUpClass finds; ended by NULL. */
extern const ClassOf *const standin_classes[];

void standin_problem(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* A new object with one owner, its fields zero. */
void *standin_new(const ClassOf *class);
void *standin_retain(void *object);       /* NULL ok */
void standin_release(void *object);       /* NULL ok */
void *standin_autorelease(void *object);  /* a problem if there is no pool */

/* What each object answers, whatever its class. */
extern const Method standin_object_methods[];

/* Report leaks, unless the program ended midway; the number of problems so
** far. */
int standin_finish(bool midway);

#endif
