/*
** queue.c - command queues, command buffers and encoders of the stand-in.
**
** A command buffer notes what its encoder was told and runs it on the host
** device when it is committed, on a thread of its own, as a GPU would: the
** program that committed goes on meanwhile. A watchdog ends what runs too long,
** as macOS does.
*/
#include <Block.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "tests/metal/capture.h"
#include "tests/metal/counters.h"
#include "tests/metal/device.h"

/* MTLCommandBufferStatus */
enum { NOT_ENQUEUED = 0, COMMITTED = 2, COMPLETED = 4, ERROR = 5 };
/* MTLCommandEncoderErrorState */
enum { ENDED = 1, PENDING = 3, FAULTED = 4 };
/* MTLCommandBufferError */
enum { ERROR_TIMEOUT = 2, ERROR_PAGE_FAULT = 3 };
#define WATCHDOG 3.0 /* seconds */
#define SLOTS 31
#define MAX_BYTES 4096

typedef struct Binding {
  mt_Arg arg;         /* kind NONE: not bound */
  Object *owner;      /* kept alive, as Metal does */
  char *bytes;        /* a copy of what setBytes was given */
} Binding;

typedef struct Dispatch {
  PipelineObject *pipeline; /* owned by the command buffer */
  mt_Launch launch;
  mt_Arg args[64];
  mt_Texture *textures[128]; /* as they were bound, for arrays of them */
  bool concurrent, barrier_after;
  size_t encoder; /* its number in the command buffer */
} Dispatch;

/* What a command buffer remembers of an encoder. */
typedef struct Pass {
  char *label;            /* or NULL */
  SamplesObject *samples; /* owned; or NULL */
  uint64_t start, end;    /* where its ends are noted */
  int state;              /* MTLCommandEncoderErrorState */
} Pass;

typedef void Handler(void *block, void *commands);
/* the start of every block, by the compiler's ABI */
typedef struct BlockLayout {
  void *isa;
  int flags, reserved;
  Handler *invoke;
} BlockLayout;

typedef struct QueueObject {
  Object head;
  LogObject *log; /* owned; or NULL: its command buffers may have their own */
  _Atomic bool failed; /* takes nothing more, as a real one may */
} QueueObject;

typedef struct CommandObject {
  Object head;
  QueueObject *queue; /* owned */
  LogObject *log;     /* owned; or NULL */
  Object *encoder; /* open; not owned */
  Dispatch *dispatches;
  size_t dispatch_count;
  Pass *passes;
  size_t pass_count;
  bool tells_encoders; /* its error has what became of each */
  Object **kept; /* what the commands use */
  size_t kept_count;
  BufferObject *synchronized; /* the CPU's copy follows; kept, or NULL */
  char **blocks_of_bytes;
  size_t bytes_count;
  BlockLayout *handlers[4];
  int handler_count;
  _Atomic int status;
  bool prepared; /* its kernels are compiled */
  ErrorObject *error; /* owned */
  double start, end;
} CommandObject;

typedef struct EncoderObject {
  Object head;
  bool concurrent; /* ordered by memory barriers alone */
  CommandObject *commands; /* owned until endEncoding */
  PipelineObject *pipeline;
  mt_Arg buffers[SLOTS], textures[128], samplers[16], shared[SLOTS];
  Object *used[128]; /* by useResource; kept by the commands */
  size_t used_count;
  bool ended;
} EncoderObject;

/* --------------------------------------------------------------- encoding */

static void keep(CommandObject *c, void *object) {
  c->kept = realloc(c->kept, (c->kept_count + 1) * sizeof *c->kept);
  c->kept[c->kept_count++] = standin_retain(object);
}

static bool open_for(EncoderObject *e, Selector s) {
  if (e->ended) standin_problem("%s after endEncoding", s);
  return !e->ended;
}

static void encoder_pipeline(EncoderObject *e, Selector s, PipelineObject *p) {
  if (!open_for(e, s)) return;
  if (p == NULL) standin_problem("setComputePipelineState: nil");
  else keep(e->commands, p);
  e->pipeline = p;
}

static void encoder_buffer(EncoderObject *e, Selector s, BufferObject *b,
                           uint64_t offset, uint64_t index) {
  if (!open_for(e, s)) return;
  if (index >= SLOTS)
    standin_problem("buffer index %d is above 30", (int)index);
  else if (b == NULL) e->buffers[index].kind = MT_ARG_NONE;
  else if (offset >= mt_buffer_size(b->buffer))
    standin_problem("offset %d is past the end of a buffer", (int)offset);
  else {
    keep(e->commands, b);
    e->buffers[index] = (mt_Arg){.kind = MT_ARG_BUFFER,
                                 .buffer = b->buffer,
                                 .offset = offset,
                                 .size = mt_buffer_size(b->buffer) - offset};
  }
}

static void encoder_bytes(EncoderObject *e, Selector s, const void *bytes,
                          uint64_t n, uint64_t index) {
  CommandObject *c = e->commands;
  if (!open_for(e, s)) return;
  if (index >= SLOTS || n == 0 || n > MAX_BYTES || bytes == NULL) {
    standin_problem("setBytes of %d bytes at index %d", (int)n, (int)index);
    return;
  }
  char *copy = memcpy(malloc(n), bytes, n);
  c->blocks_of_bytes =
      realloc(c->blocks_of_bytes, (c->bytes_count + 1) * sizeof copy);
  c->blocks_of_bytes[c->bytes_count++] = copy;
  e->buffers[index] = (mt_Arg){.kind = MT_ARG_BYTES, .bytes = copy, .size = n};
}

static void encoder_shared(EncoderObject *e, Selector s, uint64_t n,
                           uint64_t index) {
  if (!open_for(e, s)) return;
  if (index >= SLOTS || n == 0 || n % 16)
    standin_problem("setThreadgroupMemoryLength: %d at index %d", (int)n,
                    (int)index);
  else e->shared[index] = (mt_Arg){.kind = MT_ARG_THREADGROUP, .size = n};
}

static void encoder_texture(EncoderObject *e, Selector s, TextureObject *t,
                            uint64_t index) {
  if (!open_for(e, s)) return;
  if (index >= 128 || t == NULL)
    standin_problem("setTexture: at index %d", (int)index);
  else {
    keep(e->commands, t);
    /* whether it is written, the stand-in does not ask */
    t->stale = t->managed;
    e->textures[index] =
        (mt_Arg){.kind = MT_ARG_TEXTURE, .texture = t->texture};
  }
}

static void encoder_sampler(EncoderObject *e, Selector s,
                            SamplerObject *sampler, uint64_t index) {
  if (!open_for(e, s)) return;
  if (index >= 16 || sampler == NULL)
    standin_problem("setSamplerState: at index %d", (int)index);
  else
    e->samplers[index] =
        (mt_Arg){.kind = MT_ARG_SAMPLER, .sampler = sampler->desc};
}

static void encoder_use(EncoderObject *e, Selector s, Object *resource,
                        uint64_t usage) {
  if (!open_for(e, s)) return;
  if (resource == NULL || usage == 0 || usage > 3)
    standin_problem("%s nil, or with usage %d", s, (int)usage);
  else if (e->used_count < 128) {
    keep(e->commands, resource);
    if (resource->isa == &standin_MTLTexture)
      ((TextureObject *)resource)->stale = ((TextureObject *)resource)->managed;
    e->used[e->used_count++] = resource;
  }
}

/* What is bound for a parameter; Metal keeps one table for each kind. */
static mt_Arg bound_for(const EncoderObject *e, const mt_Param *p) {
  switch (p->kind) {
    case MT_PARAM_BUFFER: return e->buffers[p->index];
    case MT_PARAM_THREADGROUP: return e->shared[p->index];
    case MT_PARAM_TEXTURE: return e->textures[p->index];
    case MT_PARAM_SAMPLER: return e->samplers[p->index];
    default: return (mt_Arg){.kind = MT_ARG_NONE};
  }
}

/* An array of textures is bound at consecutive indices. */
static void point_into(Dispatch *d) {
  const mt_KernelInfo *info = mt_kernel_info(d->launch.kernel);
  d->launch.args = d->args;
  for (unsigned i = 0; i < info->param_count && i < 64; i++) {
    const mt_Param *p = &info->params[i];
    if (d->args[i].kind != MT_ARG_TEXTURE || p->array_count < 2) continue;
    d->args[i].textures = &d->textures[p->index];
    for (unsigned k = 0; k < p->array_count && p->index + k < 128; k++)
      if (d->textures[p->index + k]) d->args[i].texture_count = k + 1;
      else break;
  }
}

/* Argument buffers are read now: the addresses in them become links. */
static void resolve_links(EncoderObject *e, Dispatch *d) {
  const mt_KernelInfo *info = mt_kernel_info(d->launch.kernel);
  CommandObject *c = e->commands;
  for (unsigned i = 0; i < info->param_count && i < 64; i++) {
    if (d->args[i].kind != MT_ARG_BYTES) continue;
    mt_Link *links = standin_links(&info->params[i], &d->args[i], e->used,
                                   e->used_count, &d->args[i].link_count);
    if (links == NULL) continue;
    d->args[i].links = links;
    c->blocks_of_bytes = realloc(
        c->blocks_of_bytes, (c->bytes_count + 1) * sizeof *c->blocks_of_bytes);
    c->blocks_of_bytes[c->bytes_count++] = (char *)links; /* freed with them */
  }
}

static void dispatch(EncoderObject *e, Selector s, Size3 grid, Size3 group,
                     bool by_groups) {
  CommandObject *c = e->commands;
  mt_Error err;
  if (!open_for(e, s)) return;
  if (e->pipeline == NULL) {
    standin_problem("%s without a pipeline", s);
    return;
  }
  const mt_KernelInfo *info = mt_kernel_info(e->pipeline->kernel);
  c->dispatches =
      realloc(c->dispatches, (c->dispatch_count + 1) * sizeof *c->dispatches);
  Dispatch *d = &c->dispatches[c->dispatch_count];
  *d = (Dispatch){.pipeline = e->pipeline,
                  .concurrent = e->concurrent,
                  .encoder = c->pass_count - 1};
  for (unsigned i = 0; i < info->param_count && i < 64; i++)
    d->args[i] = bound_for(e, &info->params[i]);
  d->launch = (mt_Launch){.kernel = e->pipeline->kernel,
                          .args = d->args,
                          .arg_count = info->param_count,
                          .grid = {grid.width, grid.height, grid.depth},
                          .by_groups = by_groups,
                          .group = {group.width, group.height, group.depth},
                          .repeats = 1,
                          .time_limit = WATCHDOG};
  for (int i = 0; i < 128; i++) d->textures[i] = e->textures[i].texture;
  point_into(d);
  resolve_links(e, d);
  if (!standin_accepts(s, &d->launch)) return;
  if (mt_launch_check(&d->launch, &err) != MT_OK)
    standin_problem("%s: %s", s, err.text);
  else c->dispatch_count++;
}

static void encoder_threads(EncoderObject *e, Selector s, Size3 grid,
                            Size3 group) {
  dispatch(e, s, grid, group, false);
}
static void encoder_groups(EncoderObject *e, Selector s, Size3 groups,
                           Size3 group) {
  dispatch(e, s, groups, group, true);
}

/* MTLBarrierScope: 1 buffers, 2 textures; 4 is for render targets. */
static void encoder_barrier(EncoderObject *e, Selector s, uint64_t scope) {
  if (!open_for(e, s)) return;
  if (scope == 0 || scope > 3)
    standin_problem("%s with scope %d", s, (int)scope);
  if (e->commands->dispatch_count)
    e->commands->dispatches[e->commands->dispatch_count - 1].barrier_after =
        true;
}

static void encoder_label(EncoderObject *e, Selector s, StringObject *text) {
  standin_label(e, s, text);
  if (text == NULL || !open_for(e, s)) return;
  Pass *p = &e->commands->passes[e->commands->pass_count - 1];
  free(p->label);
  p->label = strdup(text->text);
}

static void encoder_end(EncoderObject *e, Selector s) {
  if (!open_for(e, s)) return;
  e->ended = true;
  e->commands->encoder = NULL;
}

static void encoder_destroy(Object *o) {
  EncoderObject *e = (EncoderObject *)o;
  if (!e->ended) standin_problem("an encoder goes without endEncoding");
  standin_release(e->commands);
}

static const Method encoder_methods[] = {
    METHOD("setComputePipelineState:", encoder_pipeline),
    METHOD("setBuffer:offset:atIndex:", encoder_buffer),
    METHOD("setBytes:length:atIndex:", encoder_bytes),
    METHOD("setThreadgroupMemoryLength:atIndex:", encoder_shared),
    METHOD("setTexture:atIndex:", encoder_texture),
    METHOD("setSamplerState:atIndex:", encoder_sampler),
    METHOD("useResource:usage:", encoder_use),
    METHOD("memoryBarrierWithScope:", encoder_barrier),
    METHOD("dispatchThreads:threadsPerThreadgroup:", encoder_threads),
    METHOD("dispatchThreadgroups:threadsPerThreadgroup:", encoder_groups),
    METHOD("endEncoding", encoder_end),
    METHOD("setLabel:", encoder_label),
    {NULL, NULL}};
static const ClassOf MTLEncoder = {
    standin_class_mark, "MTLComputeCommandEncoder", sizeof(EncoderObject),
    encoder_methods, encoder_destroy};

/* ------------------------------------------------------------------- blits */

typedef struct BlitObject {
  Object head;
  CommandObject *commands; /* owned */
  bool ended;
} BlitObject;

/* A texture has one copy here, and forgets that it was stale; a buffer has two,
** and the commands bring back what the GPU's has when they run. */
static void blit_synchronize(BlitObject *b, Selector s, Object *o) {
  TextureObject *t =
      o && o->isa == &standin_MTLTexture ? (TextureObject *)o : NULL;
  BufferObject *m =
      o && o->isa == &standin_MTLBuffer ? (BufferObject *)o : NULL;
  if (b->ended) standin_problem("%s after endEncoding", s);
  else if (t && t->managed) t->stale = false;
  else if (m && m->copy) {
    keep(b->commands, m);
    b->commands->synchronized = m;
  } else standin_problem("%s of what is not managed", s);
}

static void blit_end(BlitObject *b, Selector s) {
  if (b->ended) standin_problem("%s after endEncoding", s);
  b->ended = true;
  b->commands->encoder = NULL;
}

static void blit_destroy(Object *o) {
  if (!((BlitObject *)o)->ended)
    standin_problem("an encoder goes without endEncoding");
  standin_release(((BlitObject *)o)->commands);
}

static const Method blit_methods[] = {
    METHOD("synchronizeResource:", blit_synchronize),
    METHOD("endEncoding", blit_end),
    {NULL, NULL}};
static const ClassOf MTLBlit = {standin_class_mark, "MTLBlitCommandEncoder",
                                sizeof(BlitObject), blit_methods, blit_destroy};

/* --------------------------------------------------------------- commands */

static void *commands_blit(CommandObject *c, Selector s) {
  (void)s;
  if (c->encoder) standin_problem("a second encoder while one is open");
  BlitObject *b = standin_new(&MTLBlit);
  b->commands = standin_retain(c);
  c->encoder = &b->head;
  return standin_autorelease(b);
}

static void *encoder_of(CommandObject *c, bool concurrent) {
  if (c->encoder) standin_problem("a second encoder while one is open");
  if (c->status != NOT_ENQUEUED)
    standin_problem("an encoder on a committed command buffer");
  EncoderObject *e = standin_new(&MTLEncoder);
  e->commands = standin_retain(c);
  e->concurrent = concurrent;
  c->encoder = &e->head;
  c->passes = realloc(c->passes, (c->pass_count + 1) * sizeof *c->passes);
  c->passes[c->pass_count++] =
      (Pass){.start = UINT64_MAX, .end = UINT64_MAX, .state = PENDING};
  return standin_autorelease(e);
}

static void *commands_encoder(CommandObject *c, Selector s) {
  (void)s;
  return encoder_of(c, false);
}

/* MTLDispatchType */
static void *commands_typed_encoder(CommandObject *c, Selector s,
                                    uint64_t type) {
  if (type > 1) standin_problem("%s %d", s, (int)type);
  return encoder_of(c, type == 1);
}

static void *commands_pass(CommandObject *c, Selector s, PassObject *o) {
  if (o == NULL || o->type > 1) {
    standin_problem("%s nil, or of no type", s);
    return NULL;
  }
  EncoderObject *e = encoder_of(c, o->type == 1);
  if (o->samples == NULL) return e;
  if (!standin_can_sample(NULL, s, 0))
    standin_problem("%s: this GPU does not sample at an encoder's ends", s);
  else if (o->start >= o->samples->count || o->end >= o->samples->count)
    standin_problem("%s: samples %d and %d of a buffer for %d", s,
                    (int)o->start, (int)o->end, (int)o->samples->count);
  else {
    Pass *p = &c->passes[c->pass_count - 1];
    p->samples = standin_retain(o->samples);
    p->start = o->start, p->end = o->end;
  }
  return e;
}

static void commands_handler(CommandObject *c, Selector s, BlockLayout *block) {
  (void)s;
  if (c->status != NOT_ENQUEUED)
    standin_problem("addCompletedHandler: after commit");
  else if (c->handler_count < 4)
    c->handlers[c->handler_count++] = Block_copy(block);
}

typedef struct InfoObject { /* MTLCommandBufferEncoderInfo */
  Object head;
  StringObject *label; /* owned */
  int64_t state;
} InfoObject;

static void *info_label(InfoObject *o, Selector s) { (void)s; return o->label; }
static int64_t info_state(InfoObject *o, Selector s) {
  (void)s;
  return o->state;
}
static void info_destroy(Object *o) {
  standin_release(((InfoObject *)o)->label);
}
static const Method info_methods[] = {METHOD("label", info_label),
                                      METHOD("errorState", info_state),
                                      {NULL, NULL}};
static const ClassOf MTLEncoderInfo = {
    standin_class_mark, "MTLCommandBufferEncoderInfo", sizeof(InfoObject),
    info_methods, info_destroy};

/* What became of each encoder, for those who asked. */
static DictionaryObject *tell_encoders(const CommandObject *c) {
  ArrayObject *all = standin_array();
  for (size_t i = 0; i < c->pass_count; i++) {
    InfoObject *info = standin_new(&MTLEncoderInfo);
    info->label = standin_string(c->passes[i].label ? c->passes[i].label : "");
    info->state = c->passes[i].state;
    standin_array_add(all, info);
  }
  DictionaryObject *d = standin_dictionary();
  standin_dictionary_set(d, "MTLCommandBufferEncoderInfoErrorKey", all);
  return d;
}

static void fail(CommandObject *c, mt_Status status, const mt_Error *err) {
  ErrorObject *e = standin_new(&standin_NSError);
  e->text = standin_string(err->text);
  e->code = status == MT_TIMEOUT ? ERROR_TIMEOUT : ERROR_PAGE_FAULT;
  if (c->tells_encoders) e->more = tell_encoders(c);
  c->error = e;
}

static _Atomic int running; /* command buffers whose thread has not ended */

void standin_wait_until_idle(void) {
  for (int i = 0; (running || standin_log_waiting()) && i < 5000; i++)
    usleep(1000);
  if (running) standin_problem("commands still run at the end");
}

/* What the kernel logged, to whom it belongs. Metal drops in silence what no
** log state takes, and does not even compile it without the option. */
static void hand_on_log(CommandObject *c, const PipelineObject *p) {
  const char *name = mt_kernel_info(p->kernel)->name;
  mt_Str said = MT_STR_INIT;
  LogObject *log = c->log ? c->log : c->queue->log;
  mt_device_messages(standin_host(), &said);
  if (said.length && !p->logging)
    standin_problem("%s logs, and was compiled without enableLogging", name);
  else if (said.length && log == NULL)
    standin_problem(
        "%s logs, and neither its command buffer nor its queue has a "
        "log state",
        name);
  else if (said.length) standin_log_say(log, said.text);
  mt_str_free(&said);
}

static pthread_mutex_t gpu = PTHREAD_MUTEX_INITIALIZER; /* there is one */
static _Atomic int unprepared; /* command buffers that wait for the GPU first */

/* Metal has compiled a kernel when its pipeline is made; the host does it at
** the first launch of this kind, before its time starts: none of its repeats
** runs here. Errors are told by the launch. */
static void prepare(CommandObject *c) {
  mt_Timing timing;
  mt_Error err;
  for (size_t i = 0; i < c->dispatch_count; i++) {
    point_into(&c->dispatches[i]); /* it may have moved */
    mt_Launch l = c->dispatches[i].launch;
    l.repeats = 0, l.time_limit = 0;
    l.kernel->device->ops->launch(&l, &timing, &err);
  }
  c->prepared = true;
}

/* Ctrl-C has stopped the host's engine; a GPU hears of no signal, and what runs
** on it does so until the system ends it. */
static mt_Status end_by_watchdog(const CommandObject *c, mt_Error *err) {
  while ((double)mt_now_ns() * 1e-9 < c->start + WATCHDOG) usleep(10000);
  return mt_error(err, MT_TIMEOUT,
                  "Caused GPU Timeout Error "
                  "(00000002:kIOGPUCommandBufferCallbackErrorTimeout)");
}

/* Dispatches from number i on that a concurrent encoder may run at once; the
** next encoder waits for them. */
static size_t phase_length(const CommandObject *c, size_t i) {
  size_t n = 1;
  if (!c->dispatches[i].concurrent) return 1;
  while (i + n < c->dispatch_count && !c->dispatches[i + n - 1].barrier_after &&
         c->dispatches[i + n].encoder == c->dispatches[i].encoder)
    n++;
  return n;
}

/* The clock at one end of an encoder, where it is to be noted. */
static void note_time(const Pass *p, uint64_t at) {
  if (p->samples && at < p->samples->count)
    p->samples->ticks[at] = standin_ticks();
}

static mt_Status run_dispatch(CommandObject *c, size_t i, mt_Error *err) {
  mt_Timing timing;
  Pass *p = &c->passes[c->dispatches[i].encoder];
  if (p->state == PENDING) note_time(p, p->start);
  mt_Status status = mt_launch(&c->dispatches[i].launch, &timing, err);
  note_time(p, p->end); /* the last to run stays */
  p->state = status != MT_OK ? FAULTED : ENDED;
  hand_on_log(c, c->dispatches[i].pipeline);
  return status;
}

static void *run_commands(void *argument) {
  CommandObject *c = argument;
  mt_Status status = MT_OK;
  mt_Error err;
  pthread_mutex_lock(&gpu);
  if (!c->prepared) {
    prepare(c);
    unprepared--;
  }
  c->start = (double)mt_now_ns() * 1e-9;
  const char *wanted = getenv("STANDIN_GPU_ERROR"); /* a test wants this one */
  if (c->queue->failed)
    status = mt_error(
        &err, MT_FAIL,
        "Ignored (for causing prior/excessive GPU errors) "
        "(00000004:kIOGPUCommandBufferCallbackErrorSubmissionsIgnored)");
  else if (wanted) status = mt_error(&err, MT_FAIL, "%s", wanted);
  for (size_t i = 0, n; i < c->dispatch_count && status == MT_OK; i += n) {
    n = phase_length(c, i);
    /* the last first: no order is promised */
    for (size_t k = n; k-- > 0 && status == MT_OK;)
      status = run_dispatch(c, i + k, &err);
  }
  if (c->synchronized && status == MT_OK)
    memcpy(c->synchronized->copy,
           mt_buffer_contents(c->synchronized->buffer),
           mt_buffer_size(c->synchronized->buffer));
  for (size_t i = 0; i < c->pass_count; i++)
    if (c->passes[i].samples) c->passes[i].samples->done = true;
  if (status == MT_CANCELLED) status = end_by_watchdog(c, &err);
  if (status != MT_OK) c->queue->failed = true;
  c->end = (double)mt_now_ns() * 1e-9;
  pthread_mutex_unlock(&gpu);
  /* those after it: their time starts now */
  while (status != MT_OK && unprepared) usleep(1000);
  if (status != MT_OK) fail(c, status, &err);
  c->status = status == MT_OK ? COMPLETED : ERROR;
  for (int i = 0; i < c->handler_count; i++)
    c->handlers[i]->invoke(c->handlers[i], c);
  standin_release(c);
  running--;
  return NULL;
}

static void commands_commit(CommandObject *c, Selector s) {
  (void)s;
  pthread_t thread;
  if (c->encoder) standin_problem("commit with an open encoder");
  if (c->status != NOT_ENQUEUED)
    standin_problem("a command buffer is committed twice");
  c->status = COMMITTED;
  standin_capture_commit();
  standin_retain(c);
  running++;
  if (pthread_mutex_trylock(&gpu) == 0) {
    prepare(c);
    pthread_mutex_unlock(&gpu);
  } else unprepared++;
  if (pthread_create(&thread, NULL, run_commands, c) != 0) abort();
  pthread_detach(thread);
}

static void commands_wait(CommandObject *c, Selector s) {
  if (c->status == NOT_ENQUEUED)
    standin_problem("%s before commit: it would wait for ever", s);
  while (c->status == COMMITTED) usleep(200);
}

static uint64_t commands_status(CommandObject *c, Selector s) {
  (void)s;
  return (uint64_t)c->status;
}

static void *commands_error(CommandObject *c, Selector s) {
  (void)s;
  return c->error;
}

static double done_time(const CommandObject *c, Selector s, double t) {
  if (c->status < COMPLETED)
    standin_problem("%s read before the commands are done", s);
  return t;
}

static double commands_start(CommandObject *c, Selector s) {
  return done_time(c, s, c->start);
}
static double commands_end(CommandObject *c, Selector s) {
  return done_time(c, s, c->end);
}

static void commands_destroy(Object *o) {
  CommandObject *c = (CommandObject *)o;
  for (size_t i = 0; i < c->kept_count; i++) standin_release(c->kept[i]);
  for (size_t i = 0; i < c->bytes_count; i++) free(c->blocks_of_bytes[i]);
  for (int i = 0; i < c->handler_count; i++) Block_release(c->handlers[i]);
  free(c->kept);
  free(c->blocks_of_bytes);
  free(c->dispatches);
  for (size_t i = 0; i < c->pass_count; i++) {
    free(c->passes[i].label);
    standin_release(c->passes[i].samples);
  }
  free(c->passes);
  standin_release(c->log);
  standin_release(c->queue);
  standin_release(c->error);
}

static const Method commands_methods[] = {
    METHOD("computeCommandEncoder", commands_encoder),
    METHOD("computeCommandEncoderWithDispatchType:", commands_typed_encoder),
    METHOD("computeCommandEncoderWithDescriptor:", commands_pass),
    METHOD("blitCommandEncoder", commands_blit),
    METHOD("addCompletedHandler:", commands_handler),
    METHOD("commit", commands_commit),
    METHOD("waitUntilCompleted", commands_wait),
    METHOD("status", commands_status),
    METHOD("error", commands_error),
    METHOD("GPUStartTime", commands_start),
    METHOD("GPUEndTime", commands_end),
    {NULL, NULL}};
static const ClassOf MTLCommands = {standin_class_mark, "MTLCommandBuffer",
                                    sizeof(CommandObject), commands_methods,
                                    commands_destroy};

static void *queue_commands(QueueObject *q, Selector s) {
  (void)s;
  CommandObject *c = standin_new(&MTLCommands);
  c->queue = standin_retain(q);
  return standin_autorelease(c);
}

typedef struct CommandDescObject { /* MTLCommandBufferDescriptor */
  Object head;
  LogObject *log; /* owned */
  uint64_t errors; /* MTLCommandBufferErrorOption */
} CommandDescObject;

static void desc_log(CommandDescObject *o, Selector s, LogObject *log) {
  (void)s;
  standin_retain(log);
  standin_release(o->log);
  o->log = log;
}

static void desc_errors(CommandDescObject *o, Selector s, uint64_t v) {
  if (v > 1) standin_problem("%s %d", s, (int)v);
  o->errors = v;
}

static void desc_destroy(Object *o) {
  standin_release(((CommandDescObject *)o)->log);
}
static const Method desc_methods[] = {METHOD("setLogState:", desc_log),
                                      METHOD("setErrorOptions:", desc_errors),
                                      {NULL, NULL}};
const ClassOf standin_MTLCommandBufferDescriptor = {
    standin_class_mark, "MTLCommandBufferDescriptor", sizeof(CommandDescObject),
    desc_methods, desc_destroy};

static void *queue_special_commands(QueueObject *q, Selector s,
                                    CommandDescObject *o) {
  if (o == NULL) standin_problem("%s nil", s);
  CommandObject *c = queue_commands(q, s);
  if (o) c->log = standin_retain(o->log), c->tells_encoders = o->errors == 1;
  return c;
}

static const Method queue_methods[] = {
    METHOD("commandBuffer", queue_commands),
    METHOD("commandBufferWithDescriptor:", queue_special_commands),
    {NULL, NULL}};
static void queue_destroy(Object *o) {
  standin_release(((QueueObject *)o)->log);
}
const ClassOf standin_MTLQueue = {standin_class_mark, "MTLCommandQueue",
                                  sizeof(QueueObject), queue_methods,
                                  queue_destroy};

void *standin_queue(LogObject *log) {
  QueueObject *q = standin_new(&standin_MTLQueue);
  q->log = standin_retain(log);
  return q;
}
