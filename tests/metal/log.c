/*
** log.c - MTLLogState and its descriptor.
*/
#include "tests/metal/log.h"

#include <Block.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/metal/foundation.h"

enum { INFO = 2, ERROR = 4, FAULT = 5 }; /* MTLLogLevel */

typedef struct LogDescObject {
  Object head;
  int64_t level, size;
} LogDescObject;

typedef struct LogBlock { /* the start of a block, by the compiler's ABI */
  void *isa;
  int flags, reserved;
  void (*invoke)(void *block, void *subsystem, void *category, int64_t level,
                 void *message);
} LogBlock;

struct LogObject {
  Object head;
  LogBlock *handlers[4];
  int handler_count;
};

static void desc_level(LogDescObject *d, Selector s, int64_t v) {
  (void)s;
  d->level = v;
}
static void desc_size(LogDescObject *d, Selector s, int64_t v) {
  (void)s;
  d->size = v;
}
static const Method desc_methods[] = {METHOD("setLevel:", desc_level),
                                      METHOD("setBufferSize:", desc_size),
                                      {NULL, NULL}};
const ClassOf standin_MTLLogStateDescriptor = {
    standin_class_mark, "MTLLogStateDescriptor", sizeof(LogDescObject),
    desc_methods, NULL};

static void log_handler(LogObject *l, Selector s, LogBlock *block) {
  if (block == NULL || l->handler_count == 4)
    standin_problem("%s without a block", s);
  else l->handlers[l->handler_count++] = Block_copy(block);
}

static void log_destroy(Object *o) {
  LogObject *l = (LogObject *)o;
  for (int i = 0; i < l->handler_count; i++) Block_release(l->handlers[i]);
}

static const Method log_methods[] = {METHOD("addLogHandler:", log_handler),
                                     {NULL, NULL}};
const ClassOf standin_MTLLogState = {standin_class_mark, "MTLLogState",
                                     sizeof(LogObject), log_methods,
                                     log_destroy};

static _Atomic int made, lines; /* log states and what they said, so far */

void *standin_log(void *device, Selector s, void *descriptor, void **error) {
  const LogDescObject *d = descriptor;
  (void)device;
  /* Metal's limits */
  if (d == NULL || d->level < 1 || d->level > FAULT || d->size < 1024 ||
      d->size > 1 << 30) {
    standin_problem("%s with a level or size that Metal does not take", s);
    if (error) *error = standin_error("Invalid log state descriptor.", 1);
    return NULL;
  }
  made++;
  return standin_new(&standin_MTLLogState);
}

/* "kernel: text" or "kernel, error: text", as the host device has it */
static void say_line(LogObject *log, const char *line) {
  const char *colon = strstr(line, ": ");
  int64_t level = strncmp(line, "kernel, error", 13) == 0 ? ERROR : INFO;
  StringObject *message = standin_string(colon ? colon + 2 : line),
               *empty = standin_string("");
  for (int i = 0; i < log->handler_count; i++)
    log->handlers[i]->invoke(log->handlers[i], empty, empty, level, message);
  lines++;
  standin_release(message);
  standin_release(empty);
}

static void say_lines(LogObject *log, char *text) {
  char *rest = text;
  for (char *line; (line = strsep(&rest, "\n")) != NULL;)
    if (*line) say_line(log, line);
  free(text);
}

typedef struct Late {
  LogObject *log; /* owned */
  char *text;     /* owned */
  unsigned milliseconds;
} Late;

static _Atomic int waiting;

static void *say_late(void *argument) {
  Late *late = argument;
  usleep(late->milliseconds * 1000);
  say_lines(late->log, late->text);
  standin_release(late->log);
  free(late);
  waiting--;
  return NULL;
}

void standin_log_say(LogObject *log, const char *text) {
  const char *milliseconds = getenv("STANDIN_LATE_LOGS");
  pthread_t thread;
  if (milliseconds == NULL) {
    say_lines(log, strdup(text));
    return;
  }
  Late *late = malloc(sizeof *late);
  *late =
      (Late){standin_retain(log), strdup(text), (unsigned)atoi(milliseconds)};
  waiting++;
  if (pthread_create(&thread, NULL, say_late, late) != 0) abort();
  pthread_detach(thread);
}

int standin_log_waiting(void) { return waiting; }

void standin_log_finish(void) {
  if (getenv("STANDIN_COUNTS"))
    fprintf(stderr, "log states: %d\nlog lines: %d\n", made, lines);
}
