/*
** driver_context.c - contexts: who is current, and what is left when one ends.
*/
#include "tests/cuda/driver.h"
#include "tests/cuda/memory.h"

static Context *primary[16];

static Context *context_new(int device, bool is_primary) {
  Context *x = (Context *)object_new(OBJ_CONTEXT, sizeof *x, NULL);
  x->device = device;
  x->primary = is_primary;
  x->last = &x->first;
  return x;
}

/* What the caller did not free is a mistake of his, but for a context that
 * ended
 ** by a fault: nothing can be freed then. */
void context_end(Call *c, Context *x) {
  if (x->sticky == OK) {
    for (Object *o = objects(); o != NULL; o = o->next)
      if (o->alive && o->context == x && o->kind != OBJ_FUNCTION)
        problem(c, OK, "a %s was not destroyed before its context",
                o->kind == OBJ_STREAM  ? "stream"
                : o->kind == OBJ_EVENT ? "event"
                                       : "module");
    const Allocation *a = memory_any(x);
    if (a != NULL)
      problem(c, OK, "%llu bytes at 0x%llx were not freed before their context",
              (unsigned long long)a->size, (unsigned long long)a->start);
  }
  work_drop(x);
  for (const Allocation *a; (a = memory_any(x)) != NULL;) memory_free(a->start);
  for (Object *o = objects(); o != NULL; o = o->next)
    if (o->context == x) {
      if (o->kind == OBJ_MODULE && o->alive)
        ptx_free(((ModuleObject *)o)->module);
      o->alive = false;
    }
  x->head.alive = false;
}

static bool is_device(int d) { return d >= 0 && d < personality()->gpus; }

API cuDevicePrimaryCtxRetain(Context **out, CUdevice d) {
  BEGIN(ANY);
  NEED(is_device(d), INVALID_DEVICE, "there is no device %d", d);
  NEED(out != NULL, INVALID_VALUE, "no place for the context");
  if (primary[d] == NULL || !primary[d]->head.alive)
    primary[d] = context_new(d, true);
  if (primary[d]->sticky == UNKNOWN) return UNKNOWN; /* a lost GPU */
  primary[d]->retained++;
  *out = primary[d];
  return OK;
}

API cuDevicePrimaryCtxRelease_v2(CUdevice d) {
  BEGIN(ANY);
  NEED(is_device(d), INVALID_DEVICE, "there is no device %d", d);
  NEED(primary[d] != NULL && primary[d]->head.alive, INVALID_CONTEXT,
       "the primary context of device %d is not retained", d);
  if (--primary[d]->retained == 0) context_end(&call, primary[d]);
  return OK;
}

API cuDevicePrimaryCtxReset_v2(CUdevice d) {
  BEGIN(ANY);
  NEED(is_device(d), INVALID_DEVICE, "there is no device %d", d);
  if (primary[d] == NULL || !primary[d]->head.alive) return OK;
  unsigned retained = primary[d]->retained;
  primary[d]->sticky = primary[d]->sticky ? primary[d]->sticky : 1;
  context_end(&call, primary[d]); /* frees all that is left, on purpose */
  Context *x = context_new(d, true);
  x->retained = retained;
  primary[d] = x;
  return OK;
}

API cuDevicePrimaryCtxReset(CUdevice d) {
  return cuDevicePrimaryCtxReset_v2(d);
}

API cuCtxCreate_v2(Context **out, unsigned flags, CUdevice d) {
  BEGIN(ANY);
  NEED(is_device(d), INVALID_DEVICE, "there is no device %d", d);
  NEED(out != NULL, INVALID_VALUE, "no place for the context");
  NEED((flags & ~0x1fu) == 0, INVALID_VALUE, "flags 0x%x", flags);
  current_context = *out = context_new(d, false);
  return OK;
}

API cuCtxDestroy_v2(Context *x) {
  BEGIN(ANY);
  CUresult error = OK;
  if (need_object(&call, x, OBJ_CONTEXT, &error) == NULL) return error;
  NEED(!x->primary, INVALID_CONTEXT,
       "a primary context is released, not destroyed");
  context_end(&call, x);
  if (current_context == x) current_context = NULL;
  return OK;
}

API cuCtxSetCurrent(Context *x) {
  BEGIN(ANY);
  CUresult error = OK;
  if (x != NULL && need_object(&call, x, OBJ_CONTEXT, &error) == NULL)
    return error;
  current_context = x;
  return OK;
}

API cuCtxGetCurrent(Context **out) {
  BEGIN(ANY);
  NEED(out != NULL, INVALID_VALUE, "no place for the context");
  *out = current_context;
  return OK;
}

API cuCtxGetDevice(CUdevice *out) {
  BEGIN(0);
  NEED(out != NULL, INVALID_VALUE, "no place for the device");
  *out = call.context->device;
  return OK;
}

API cuCtxSynchronize(void) {
  BEGIN(0);
  return work_finish(&call, NULL, true);
}

API cuCtxSetLimit(int limit, size_t value) {
  BEGIN(0);
  NEED(limit >= 0 && limit <= 6, INVALID_VALUE, "limit %d is not known", limit);
  (void)value;
  return OK;
}

API cuCtxGetLimit(size_t *value, int limit) {
  BEGIN(0);
  NEED(value != NULL && limit >= 0 && limit <= 6, INVALID_VALUE,
       "limit %d is not known", limit);
  *value = limit == 0 ? 1024 : limit == 1 ? 1 << 20 : 8 << 20;
  return OK;
}
