/*
** log.c - MTLLogState and its descriptor.
*/
#include "tests/metal/log.h"

#include <Block.h>
#include <stdio.h>

#include "tests/metal/foundation.h"

enum { INFO = 2, FAULT = 5 }; /* MTLLogLevel */

typedef struct LogDescObject {
  Object head;
  int64_t level, size;
} LogDescObject;

typedef struct LogBlock { /* the start of a block, by the compiler's ABI */
  void *isa;
  int flags, reserved;
  void (*invoke)(void *block, void *subsystem, void *category, int64_t level, void *message);
} LogBlock;

struct LogObject {
  Object head;
  LogBlock *handlers[4];
  int handler_count;
};

static void desc_level(LogDescObject *d, Selector s, int64_t v) { (void)s; d->level = v; }
static void desc_size(LogDescObject *d, Selector s, int64_t v) { (void)s; d->size = v; }
static const Method desc_methods[] = {METHOD("setLevel:", desc_level), METHOD("setBufferSize:", desc_size), {NULL, NULL}};
const ClassOf standin_MTLLogStateDescriptor = {standin_class_mark, "MTLLogStateDescriptor", sizeof(LogDescObject), desc_methods, NULL};

static void log_handler(LogObject *l, Selector s, LogBlock *block) {
  if (block == NULL || l->handler_count == 4) standin_problem("%s without a block", s);
  else l->handlers[l->handler_count++] = Block_copy(block);
}

static void log_destroy(Object *o) {
  LogObject *l = (LogObject *)o;
  for (int i = 0; i < l->handler_count; i++) Block_release(l->handlers[i]);
}

static const Method log_methods[] = {METHOD("addLogHandler:", log_handler), {NULL, NULL}};
const ClassOf standin_MTLLogState = {standin_class_mark, "MTLLogState", sizeof(LogObject), log_methods, log_destroy};

void *standin_log(void *device, Selector s, void *descriptor, void **error) {
  const LogDescObject *d = descriptor;
  (void)device;
  if (d == NULL || d->level < 1 || d->level > FAULT || d->size < 1024 || d->size > 1 << 30) { /* Metal's limits */
    standin_problem("%s with a level or size that Metal does not take", s);
    if (error) *error = standin_error("Invalid log state descriptor.", 1);
    return NULL;
  }
  return standin_new(&standin_MTLLogState);
}

void standin_log_say(LogObject *log, const char *name) {
  char text[256];
  if (log == NULL) return;
  snprintf(text, sizeof text, "%s runs", name);
  StringObject *message = standin_string(text), *empty = standin_string("");
  for (int i = 0; i < log->handler_count; i++)
    log->handlers[i]->invoke(log->handlers[i], empty, empty, INFO, message);
  standin_release(message);
  standin_release(empty);
}
