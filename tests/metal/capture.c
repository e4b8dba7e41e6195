/*
** capture.c - the stand-in's capture manager. It writes no trace, only a line
** that says how many command buffers were committed meanwhile; what it guards
** is the order of the calls and what they are given.
*/
#include "tests/metal/capture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/metal/foundation.h"

/* MTLCaptureDestination */
enum { DOCUMENT = 2 };
enum { NOT_SUPPORTED = 1, ALREADY = 2, INVALID = 3 };     /* MTLCaptureError */

typedef struct UrlObject {
  Object head;
  char *path;
} UrlObject;

typedef struct CaptureDescObject {
  Object head;
  Object *object;  /* owned */
  UrlObject *url;  /* owned */
  int64_t destination;
} CaptureDescObject;

typedef struct ManagerObject {
  Object head;
  CaptureDescObject *running; /* owned */
  int commits;
} ManagerObject;

static ManagerObject *shared;

/* -------------------------------------------------------------------- URLs */

static void *url_file(const ClassOf *class, Selector s, StringObject *path) {
  (void)class;
  if (path == NULL || path->text[0] != '/') {
    standin_problem("%s with %s: it wants a whole path", s,
                    path ? path->text : "nil");
    return NULL;
  }
  UrlObject *u = standin_new(&standin_NSURL);
  u->path = strdup(path->text);
  return standin_autorelease(u);
}

static void url_destroy(Object *o) { free(((UrlObject *)o)->path); }
static const Method url_methods[] = {METHOD("+fileURLWithPath:", url_file),
                                     {NULL, NULL}};
const ClassOf standin_NSURL = {standin_class_mark, "NSURL", sizeof(UrlObject),
                               url_methods, url_destroy};

/* -------------------------------------------------------------- descriptors */

static void take(void *slot, void *object) {
  Object **o = slot;
  standin_retain(object);
  standin_release(*o);
  *o = object;
}

static void desc_object(CaptureDescObject *d, Selector s, Object *o) {
  (void)s;
  take(&d->object, o);
}
static void desc_url(CaptureDescObject *d, Selector s, UrlObject *u) {
  (void)s;
  take(&d->url, u);
}
static void desc_destination(CaptureDescObject *d, Selector s, int64_t v) {
  (void)s;
  d->destination = v;
}

static void desc_destroy(Object *o) {
  standin_release(((CaptureDescObject *)o)->object);
  standin_release(((CaptureDescObject *)o)->url);
}

static const Method desc_methods[] = {
    METHOD("setCaptureObject:", desc_object),
    METHOD("setOutputURL:", desc_url),
    METHOD("setDestination:", desc_destination),
    {NULL, NULL}};
const ClassOf standin_MTLCaptureDescriptor = {
    standin_class_mark, "MTLCaptureDescriptor", sizeof(CaptureDescObject),
    desc_methods, desc_destroy};

/* ------------------------------------------------------------- the manager */

static bool enabled(void) {
  return getenv("METAL_CAPTURE_ENABLED") || getenv("MTL_CAPTURE_ENABLED");
}

static void *manager_shared(const ClassOf *class, Selector s) {
  (void)class, (void)s;
  if (shared == NULL) shared = standin_new(&standin_MTLCaptureManager);
  return shared;
}

static bool manager_supports(ManagerObject *m, Selector s,
                             int64_t destination) {
  (void)m, (void)s;
  return destination == DOCUMENT && enabled();
}
static bool manager_capturing(ManagerObject *m, Selector s) {
  (void)s;
  return m->running != NULL;
}

static bool refuse(void **error, const char *text, int64_t code) {
  if (error) *error = standin_error(text, code);
  return false;
}

static bool manager_start(ManagerObject *m, Selector s, CaptureDescObject *d,
                          void **error) {
  if (m->running) {
    standin_problem("%s while a capture runs", s);
    return refuse(error, "Already capturing.", ALREADY);
  }
  if (d == NULL || d->object == NULL || d->destination != DOCUMENT ||
      d->url == NULL) {
    standin_problem(
        "%s with a descriptor that lacks its object, destination or URL", s);
    return refuse(error, "Invalid descriptor.", INVALID);
  }
  if (!enabled())
    return refuse(error, "Capturing is not supported.", NOT_SUPPORTED);
  if (access(d->url->path, F_OK) == 0)
    return refuse(error, "The file exists.", INVALID);
  m->running = standin_retain(d);
  m->commits = 0;
  return true;
}

static void manager_stop(ManagerObject *m, Selector s) {
  if (m->running == NULL) {
    standin_problem("%s and no capture runs", s);
    return;
  }
  FILE *f = fopen(m->running->url->path, "w");
  if (f == NULL)
    standin_problem("%s: %s cannot be written", s, m->running->url->path);
  else fprintf(f, "%d command buffers\n", m->commits), fclose(f);
  standin_release(m->running);
  m->running = NULL;
}

static void manager_destroy(Object *o) {
  if (((ManagerObject *)o)->running)
    standin_problem("a capture is never stopped");
}

static const Method manager_methods[] = {
    METHOD("+sharedCaptureManager", manager_shared),
    METHOD("supportsDestination:", manager_supports),
    METHOD("isCapturing", manager_capturing),
    METHOD("startCaptureWithDescriptor:error:", manager_start),
    METHOD("stopCapture", manager_stop),
    {NULL, NULL}};
const ClassOf standin_MTLCaptureManager = {
    standin_class_mark, "MTLCaptureManager", sizeof(ManagerObject),
    manager_methods, manager_destroy};

void standin_capture_commit(void) {
  if (shared && shared->running) shared->commits++;
}

/* The system's own object: only the end of the program frees it. */
void standin_capture_finish(void) {
  if (shared == NULL) return;
  CaptureDescObject *left = shared->running;
  standin_release(shared);
  standin_release(left);
}
