/*
** counters.c - counter sample buffers and compute passes of the stand-in.
*/
#include "tests/metal/counters.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "tests/metal/personality.h"

enum { AT_STAGE_BOUNDARY = 0, SHARED = 0, MOST_BYTES = 32768 };
#define DONT_SAMPLE UINT64_MAX /* MTLCounterDontSample, MTLCounterErrorValue */

uint64_t standin_ticks(void) { return mt_now_ns() / 125 * 3 + 1000000; }

bool standin_can_sample(void *device, Selector s, uint64_t point) {
  (void)device, (void)s;
  return point == AT_STAGE_BOUNDARY && standin_gpu()->apple >= 7;
}

void standin_timestamps(void *device, Selector s, uint64_t *cpu,
                        uint64_t *gpu) {
  (void)device, (void)s;
  *cpu = mt_now_ns();
  *gpu = standin_ticks();
}

/* ------------------------------------------------------------------- sets */

typedef struct SetObject {
  Object head;
  StringObject *name; /* owned */
} SetObject;

static void *set_name(SetObject *o, Selector s) { (void)s; return o->name; }
static void set_destroy(Object *o) { standin_release(((SetObject *)o)->name); }
static const Method set_methods[] = {METHOD("name", set_name), {NULL, NULL}};
static const ClassOf MTLCounterSet = {standin_class_mark, "MTLCounterSet",
                                      sizeof(SetObject), set_methods,
                                      set_destroy};

void *standin_counter_sets(void *device, Selector s) {
  (void)device, (void)s;
  ArrayObject *a = standin_array();
  for (int i = 0; i < 2; i++) {
    SetObject *set = standin_new(&MTLCounterSet);
    set->name = standin_string(i ? "timestamp" : "statistic");
    standin_array_add(a, set);
  }
  return standin_autorelease(a);
}

/* ---------------------------------------------------------------- samples */

typedef struct DataObject { /* NSData */
  Object head;
  char *bytes;
  uint64_t length;
} DataObject;

static void *data_bytes(DataObject *o, Selector s) { (void)s; return o->bytes; }
static uint64_t data_length(DataObject *o, Selector s) {
  (void)s;
  return o->length;
}
static void data_destroy(Object *o) { free(((DataObject *)o)->bytes); }
static const Method data_methods[] = {METHOD("mutableBytes", data_bytes),
                                      METHOD("length", data_length),
                                      {NULL, NULL}};
static const ClassOf NSData = {standin_class_mark, "NSData", sizeof(DataObject),
                               data_methods, data_destroy};


static void *samples_resolve(SamplesObject *o, Selector s, Range r) {
  if (r.location + r.length > o->count || r.length == 0) {
    standin_problem("%s of %d samples from %d on, there are %d", s,
                    (int)r.length, (int)r.location, (int)o->count);
    return NULL;
  }
  if (!o->done) standin_problem("%s before the commands are done", s);
  DataObject *d = standin_new(&NSData);
  d->length = r.length * sizeof *o->ticks;
  d->bytes = memcpy(malloc(d->length), o->ticks + r.location, d->length);
  return standin_autorelease(d);
}

static void samples_destroy(Object *o) { free(((SamplesObject *)o)->ticks); }
static const Method samples_methods[] = {
    METHOD("resolveCounterRange:", samples_resolve), {NULL, NULL}};
static const ClassOf MTLSamples = {standin_class_mark, "MTLCounterSampleBuffer",
                                   sizeof(SamplesObject), samples_methods,
                                   samples_destroy};

typedef struct DescObject {
  Object head;
  SetObject *set; /* owned */
  uint64_t storage, count;
} DescObject;

static void desc_set(DescObject *o, Selector s, SetObject *set) {
  (void)s;
  standin_retain(set);
  standin_release(o->set);
  o->set = set;
}
static void desc_storage(DescObject *o, Selector s, uint64_t v) {
  (void)s;
  o->storage = v;
}
static void desc_count(DescObject *o, Selector s, uint64_t v) {
  (void)s;
  o->count = v;
}
static void desc_destroy(Object *o) { standin_release(((DescObject *)o)->set); }
static const Method desc_methods[] = {METHOD("setCounterSet:", desc_set),
                                      METHOD("setStorageMode:", desc_storage),
                                      METHOD("setSampleCount:", desc_count),
                                      {NULL, NULL}};
const ClassOf standin_MTLSampleDescriptor = {
    standin_class_mark, "MTLCounterSampleBufferDescriptor", sizeof(DescObject),
    desc_methods, desc_destroy};

void *standin_samples(void *device, Selector s, void *descriptor,
                      void **error) {
  (void)device, (void)error;
  DescObject *o = descriptor;
  if (!o || !o->set || strcmp(o->set->name->text, "timestamp") != 0 ||
      o->storage != SHARED || o->count == 0 ||
      o->count * sizeof(uint64_t) > MOST_BYTES) {
    standin_problem("%s without the set of time stamps, shared, of 1 to "
                    "4096 samples",
                    s);
    return NULL;
  }
  SamplesObject *b = standin_new(&MTLSamples);
  b->count = o->count;
  b->ticks = malloc(o->count * sizeof *b->ticks);
  memset(b->ticks, 0xff, o->count * sizeof *b->ticks);
  return b;
}

/* ------------------------------------------------------------------ passes */

/* The list of attachments and the one attachment that is used are the pass. */
static void *pass_itself(PassObject *o, Selector s) { (void)s; return o; }
static void *pass_at(PassObject *o, Selector s, uint64_t index) {
  if (index > 0)
    standin_problem("%s %d: this GPU has one attachment", s, (int)index);
  return o;
}
static void pass_type(PassObject *o, Selector s, uint64_t type) {
  (void)s;
  o->type = type;
}
static void pass_start(PassObject *o, Selector s, uint64_t index) {
  (void)s;
  o->start = index;
}
static void pass_end(PassObject *o, Selector s, uint64_t index) {
  (void)s;
  o->end = index;
}
static void pass_samples(PassObject *o, Selector s, SamplesObject *samples) {
  (void)s;
  standin_retain(samples);
  standin_release(o->samples);
  o->samples = samples;
}

static void *pass_new(const ClassOf *class, Selector s) {
  (void)s;
  PassObject *o = standin_new(class);
  o->start = o->end = DONT_SAMPLE;
  return standin_autorelease(o);
}

static void pass_destroy(Object *o) {
  standin_release(((PassObject *)o)->samples);
}
static const Method pass_methods[] = {
    METHOD("+computePassDescriptor", pass_new),
    METHOD("sampleBufferAttachments", pass_itself),
    METHOD("objectAtIndexedSubscript:", pass_at),
    METHOD("setDispatchType:", pass_type),
    METHOD("setSampleBuffer:", pass_samples),
    METHOD("setStartOfEncoderSampleIndex:", pass_start),
    METHOD("setEndOfEncoderSampleIndex:", pass_end),
    {NULL, NULL}};
const ClassOf standin_MTLComputePassDescriptor = {
    standin_class_mark, "MTLComputePassDescriptor", sizeof(PassObject),
    pass_methods, pass_destroy};
