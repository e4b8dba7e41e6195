/*
** driver_memory.c - allocations and copies.
*/
#include "tests/cuda/driver.h"
#include "tests/cuda/memory.h"

#include <stdlib.h>
#include <string.h>

/* A part of the card is the driver's. */
static uint64_t room(const Context *c) {
  uint64_t used = memory_used((void *)(uintptr_t)c);
  uint64_t most = personality()->memory - personality()->memory / 16;
  return used < most ? most - used : 0;
}

API cuMemGetInfo_v2(size_t *free_, size_t *total) {
  BEGIN(0);
  NEED(free_ != NULL && total != NULL, INVALID_VALUE, "no place for the sizes");
  *free_ = room(call.context);
  *total = personality()->memory;
  return OK;
}

API cuMemAlloc_v2(CUdeviceptr *out, size_t size) {
  BEGIN(0);
  NEED(out != NULL && size != 0, INVALID_VALUE, "%zu bytes", size);
  if (size > room(call.context)) return OUT_OF_MEMORY;
  const Allocation *a = memory_new(MEM_DEVICE, size, NULL, 0, call.context);
  if (a == NULL) return OUT_OF_MEMORY;
  *out = a->start;
  return OK;
}

API cuMemAllocManaged(CUdeviceptr *out, size_t size, unsigned flags) {
  BEGIN(0);
  NEED(out != NULL && size != 0, INVALID_VALUE, "%zu bytes", size);
  NEED(flags == 1 || flags == 2, INVALID_VALUE, "flags 0x%x", flags);
  if (size > room(call.context)) return OUT_OF_MEMORY;
  const Allocation *a = memory_new(MEM_MANAGED, size, NULL, 0, call.context);
  if (a == NULL) return OUT_OF_MEMORY;
  *out = a->start;
  return OK;
}

API cuMemFree_v2(CUdeviceptr p) {
  BEGIN(0);
  if (p == 0) return OK;
  const Allocation *a = memory_find(p);
  NEED(a != NULL && a->start == p, INVALID_VALUE,
       "0x%llx is no allocation (or was freed before)", p);
  NEED(a->kind == MEM_DEVICE || a->kind == MEM_MANAGED, INVALID_VALUE,
       "0x%llx is not from cuMemAlloc", p);
  NEED(a->owner == call.context, INVALID_VALUE, "0x%llx is of another context",
       p);
  /* the driver waits for all that is under way */
  CUresult error = work_finish(&call, NULL, true);
  if (error == OK) memory_free(p);
  return error;
}

/* -------------------------------------------------------------- host memory */

API cuMemHostAlloc(void **out, size_t size, unsigned flags) {
  BEGIN(0);
  NEED(out != NULL && size != 0 && (flags & ~7u) == 0, INVALID_VALUE,
       "%zu bytes, flags 0x%x", size, flags);
  const Allocation *a = memory_new(MEM_HOST, size, NULL, 0, call.context);
  if (a == NULL) return OUT_OF_MEMORY;
  *out = a->host;
  return OK;
}

API cuMemAllocHost_v2(void **out, size_t size) {
  return cuMemHostAlloc(out, size, 0);
}

API cuMemFreeHost(void *p) {
  BEGIN(0);
  const Allocation *a = memory_find((uintptr_t)p);
  NEED(a != NULL && a->host == p && a->kind == MEM_HOST, INVALID_VALUE,
       "%p is not from cuMemHostAlloc (or was freed before)", p);
  CUresult error = work_finish(&call, NULL, true);
  if (error == OK) memory_free(a->start);
  return error;
}

API cuMemHostRegister_v2(void *p, size_t size, unsigned flags) {
  BEGIN(0);
  NEED(p != NULL && size != 0 && (flags & ~15u) == 0, INVALID_VALUE,
       "%zu bytes, flags 0x%x", size, flags);
  uint64_t at = (uintptr_t)p;
  if (memory_find(at) != NULL || memory_find(at + size - 1) != NULL)
    return problem(&call, HOST_MEMORY_ALREADY_REGISTERED,
                   "%p is registered already", p);
  memory_new(MEM_REGISTERED, size, p, 0, call.context);
  return OK;
}

API cuMemHostUnregister(void *p) {
  BEGIN(0);
  const Allocation *a = memory_find((uintptr_t)p);
  NEED(a != NULL && a->host == p && a->kind == MEM_REGISTERED,
       HOST_MEMORY_NOT_REGISTERED, "%p is not registered", p);
  CUresult error = work_finish(&call, NULL, true);
  if (error == OK) memory_free(a->start);
  return error;
}

API cuMemHostGetDevicePointer_v2(CUdeviceptr *out, void *p, unsigned flags) {
  BEGIN(0);
  const Allocation *a = memory_find((uintptr_t)p);
  NEED(out != NULL && flags == 0, INVALID_VALUE, "flags 0x%x", flags);
  NEED(a != NULL && (a->kind == MEM_HOST || a->kind == MEM_REGISTERED),
       INVALID_VALUE, "%p is no memory that the GPU sees", p);
  *out = (uintptr_t)p;
  return OK;
}

/* -------------------------------------------------------------------- copies
 */

/* The range is within one allocation of the context, on the device's side. */
static CUresult range(Call *c, uint64_t at, uint64_t size) {
  const Allocation *a = memory_find(at);
  if (a == NULL)
    return problem(c, INVALID_VALUE, "0x%llx is no device memory",
                   (unsigned long long)at);
  if (size > a->size - (at - a->start))
    return problem(c, INVALID_VALUE,
                   "%llu bytes at 0x%llx, where the allocation has %llu more",
                   (unsigned long long)size, (unsigned long long)at,
                   (unsigned long long)(a->size - (at - a->start)));
  if (a->owner != c->context)
    return problem(c, INVALID_VALUE, "0x%llx is of another context",
                   (unsigned long long)at);
  return OK;
}

static CUresult host_side(Call *c, const void *host) {
  const Allocation *a = memory_find((uintptr_t)host);
  if (host == NULL || (a != NULL && a->kind == MEM_DEVICE))
    return problem(c, INVALID_VALUE, "%p is no memory of the host", host);
  return OK;
}

static bool pinned(const void *host, uint64_t size) {
  const Allocation *a = memory_find((uintptr_t)host);
  return a != NULL && size <= a->size - ((uintptr_t)host - a->start);
}

static CUresult stream_of(Call *c, Stream *given, Stream **out) {
  CUresult error = OK;
  *out = NULL;
  if (given == NULL || given == (Stream *)1 || given == (Stream *)2) return OK;
  *out = need_object(c, given, OBJ_STREAM, &error);
  return error;
}

/* Host memory that is not pinned is staged: what goes to the device is read at
** once, what comes back is there when the call ends. */
static CUresult copy(Call *c, int kind, uint64_t device, uint64_t from,
                     void *host, uint64_t size, Stream *given, bool async) {
  Stream *s;
  CUresult error = stream_of(c, given, &s);
  if (error == OK) error = c->context->sticky;
  if (error == OK && size != 0) error = range(c, device, size);
  if (error == OK && size != 0 && kind == W_ON_DEVICE)
    error = range(c, from, size);
  if (error == OK && size != 0 && kind != W_ON_DEVICE)
    error = host_side(c, host);
  if (error != OK || size == 0) return error;
  Work *w = work_new(c->context, s, kind);
  w->name = c->name;
  w->device = device;
  w->device_from = from;
  w->host = host;
  w->size = size;
  bool late = async && (kind == W_ON_DEVICE || pinned(host, size));
  if (kind == W_TO_DEVICE && !late) {
    w->copied = malloc(size);
    memcpy(w->copied, host, size);
  }
  if (kind == W_TO_HOST && late) /* a reader that is too early sees it */
    memset(host, 0xee, size);
  if ((kind == W_TO_HOST && !late) || !async)
    return work_finish(c, s, s == NULL);
  return OK;
}

API cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t size) {
  BEGIN(0);
  return copy(&call, W_TO_DEVICE, to, 0, (void *)(uintptr_t)from, size, NULL,
              false);
}

API cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t size) {
  BEGIN(0);
  return copy(&call, W_TO_HOST, from, 0, to, size, NULL, false);
}

API cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t size) {
  BEGIN(0);
  return copy(&call, W_ON_DEVICE, to, from, NULL, size, NULL, false);
}

API cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t size,
                         Stream *s) {
  BEGIN(0);
  return copy(&call, W_TO_DEVICE, to, 0, (void *)(uintptr_t)from, size, s,
              true);
}

API cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t size, Stream *s) {
  BEGIN(0);
  return copy(&call, W_TO_HOST, from, 0, to, size, s, true);
}

API cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t size,
                         Stream *s) {
  BEGIN(0);
  return copy(&call, W_ON_DEVICE, to, from, NULL, size, s, true);
}

static CUresult set(Call *c, uint64_t at, uint32_t value, unsigned width,
                    uint64_t n, Stream *given, bool async) {
  Stream *s;
  CUresult error = stream_of(c, given, &s);
  if (error == OK && n != 0) error = range(c, at, n * width);
  if (error == OK && at % width != 0)
    error = problem(c, INVALID_VALUE, "0x%llx is no multiple of %u",
                    (unsigned long long)at, width);
  if (error != OK || n == 0) return error;
  Work *w = work_new(c->context, s, W_SET);
  w->name = c->name;
  w->device = at;
  w->size = n * width;
  w->value = value;
  w->value_size = width;
  return async ? OK : work_finish(c, s, s == NULL);
}

API cuMemsetD8_v2(CUdeviceptr at, unsigned char v, size_t n) {
  BEGIN(0);
  return set(&call, at, v, 1, n, NULL, false);
}

API cuMemsetD8Async(CUdeviceptr at, unsigned char v, size_t n, Stream *s) {
  BEGIN(0);
  return set(&call, at, v, 1, n, s, true);
}

API cuMemsetD32_v2(CUdeviceptr at, unsigned v, size_t n) {
  BEGIN(0);
  return set(&call, at, v, 4, n, NULL, false);
}

API cuMemsetD32Async(CUdeviceptr at, unsigned v, size_t n, Stream *s) {
  BEGIN(0);
  return set(&call, at, v, 4, n, s, true);
}

API cuPointerGetAttribute(void *out, int attribute, CUdeviceptr p) {
  BEGIN(0);
  const Allocation *a = memory_find(p);
  NEED(out != NULL, INVALID_VALUE, "no place for the value");
  if (a == NULL) return INVALID_VALUE;
  if (attribute == 2) /* memory type: host or device */
    *(unsigned *)out = a->kind == MEM_HOST || a->kind == MEM_REGISTERED ? 1 : 2;
  else
    return problem(&call, INVALID_VALUE, "attribute %d is not known",
                   attribute);
  return OK;
}

API cuMemPrefetchAsync(CUdeviceptr p, size_t size, CUdevice to, Stream *given) {
  BEGIN(0);
  Stream *s;
  CUresult error = stream_of(&call, given, &s);
  if (error == OK) error = range(&call, p, size);
  if (error != OK) return error;
  NEED(memory_find(p)->kind == MEM_MANAGED, INVALID_VALUE,
       "0x%llx is not managed", p);
  NEED(to >= -1 && to < personality()->gpus, INVALID_DEVICE,
       "there is no device %d", to);
  return OK;
}

API cuMemAdvise(CUdeviceptr p, size_t size, int advice, CUdevice d) {
  BEGIN(0);
  CUresult error = range(&call, p, size);
  if (error != OK) return error;
  NEED(memory_find(p)->kind == MEM_MANAGED, INVALID_VALUE,
       "0x%llx is not managed", p);
  NEED(advice >= 1 && advice <= 6, INVALID_VALUE, "advice %d", advice);
  NEED(d >= -1 && d < personality()->gpus, INVALID_DEVICE,
       "there is no device %d", d);
  return OK;
}
