/*
** driver_launch.c - cuLaunchKernel, and what may be launched.
*/
#include "tests/cuda/driver.h"
#include "tests/cuda/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXTRA_END ((void *)0)
#define EXTRA_POINTER ((void *)1)
#define EXTRA_SIZE ((void *)2)

static CUresult limits(Call *c, const FunctionObject *o, const uint32_t g[3],
                       const uint32_t b[3], uint32_t dynamic) {
  static const uint32_t most_grid[3] = {2147483647, 65535, 65535};
  static const uint32_t most_block[3] = {1024, 1024, 64};
  const Function *f = o->function;
  for (int d = 0; d < 3; d++) {
    if (g[d] == 0 || b[d] == 0)
      return problem(c, INVALID_VALUE, "grid or block is empty in %c",
                     "xyz"[d]);
    if (g[d] > most_grid[d])
      return problem(c, INVALID_VALUE, "%u blocks in %c, %u are the most", g[d],
                     "xyz"[d], most_grid[d]);
    if (b[d] > most_block[d])
      return problem(c, INVALID_VALUE, "%u threads in %c, %u are the most",
                     b[d], "xyz"[d], most_block[d]);
    if (f->required[d] != 0 && f->required[d] != b[d])
      return problem(c, INVALID_VALUE, "the block is %u in %c, .reqntid is %u",
                     b[d], "xyz"[d], f->required[d]);
  }
  uint64_t threads = (uint64_t)b[0] * b[1] * b[2];
  if (threads > 1024)
    return problem(c, INVALID_VALUE,
                   "a block of %llu threads, 1024 are the most",
                   (unsigned long long)threads);
  if (f->max_threads != 0 && threads > f->max_threads)
    return problem(c, INVALID_VALUE, "a block of %llu threads, .maxntid is %u",
                   (unsigned long long)threads, f->max_threads);
  uint32_t fixed = o->module->module->shared_size;
  if (dynamic > o->dynamic_most && dynamic + fixed > 49152)
    return problem(c, INVALID_VALUE,
                   "%u bytes of dynamic shared memory and %u static, 49152 are "
                   "the most without the attribute",
                   dynamic, fixed);
  return OK;
}

static CUresult parameters(Call *c, const Function *f, void **params,
                           void **extra, uint8_t *out) {
  if (params != NULL && extra != NULL)
    return problem(c, INVALID_VALUE, "parameters are there twice");
  if (extra != NULL) {
    const void *bytes = NULL;
    size_t size = 0;
    for (int k = 0; extra[k] != EXTRA_END; k += 2) {
      if (extra[k] == EXTRA_POINTER)
        bytes = extra[k + 1];
      else if (extra[k] == EXTRA_SIZE)
        size = *(size_t *)extra[k + 1];
      else
        return problem(c, INVALID_VALUE, "unknown word in 'extra'");
    }
    if (bytes == NULL || size != f->param_bytes)
      return problem(c, INVALID_VALUE, "%zu bytes of parameters, '%s' has %u",
                     size, f->name, f->param_bytes);
    memcpy(out, bytes, size);
    return OK;
  }
  for (uint32_t k = 0; k < f->param_count; k++) {
    if (params == NULL || params[k] == NULL)
      return problem(c, INVALID_VALUE, "parameter %u of '%s' is missing", k,
                     f->name);
    memcpy(out + f->params[k].offset, params[k], f->params[k].size);
  }
  return OK;
}

API cuLaunchKernel(FunctionObject *f, unsigned gx, unsigned gy, unsigned gz,
                   unsigned bx, unsigned by, unsigned bz, unsigned dynamic,
                   Stream *given, void **params, void **extra) {
  BEGIN(0);
  CUresult error = OK;
  Stream *s = NULL;
  if (need_object(&call, f, OBJ_FUNCTION, &error) == NULL) return error;
  if (given != NULL && given != (Stream *)1 && given != (Stream *)2 &&
      (s = need_object(&call, given, OBJ_STREAM, &error)) == NULL)
    return error;
  const uint32_t grid[3] = {gx, gy, gz}, block[3] = {bx, by, bz};
  error = limits(&call, f, grid, block, dynamic);
  if (error != OK) return error;
  uint8_t *bytes = calloc(1, f->function->param_bytes + 8);
  error = parameters(&call, f->function, params, extra, bytes);
  if (error == OK) {
    count_launches++;
    if (personality()->lost != 0 && count_launches >= personality()->lost) {
      call.context->sticky = error = UNKNOWN;
      work_drop(call.context);
    } else {
      Work *w = work_new(call.context, s, W_LAUNCH);
      w->launch = launch_new(f->module->module, f->function, grid, block,
                             dynamic, bytes);
      w->launch->step_limit = personality()->steps;
      w->launch->apart = personality()->apart;
    }
  }
  free(bytes);
  return error;
}
