/*
** driver_module.c - PTX to modules, functions and what is known of them.
*/
#include "tests/cuda/driver.h"
#include "tests/cuda/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  JIT_MAX_REGISTERS = 0,
  JIT_INFO_LOG = 3,
  JIT_INFO_SIZE,
  JIT_ERROR_LOG,
  JIT_ERROR_SIZE,
  JIT_COUNT = 40
};

static void put_log(unsigned n, const int *options, void **values, int which,
                    const char *text) {
  char *log = NULL;
  size_t size = 0;
  for (unsigned k = 0; k < n; k++) {
    if (options[k] == which) log = values[k];
    if (options[k] == which + 1) size = (unsigned)(uintptr_t)values[k];
  }
  if (log != NULL && size != 0) snprintf(log, size, "%s", text);
  for (unsigned k = 0; k < n; k++) /* how much was written */
    if (options[k] == which + 1 && log != NULL)
      values[k] = (void *)(uintptr_t)(size ? strlen(log) : 0);
}

/* The PTX version that a target is known from. */
static unsigned needs_version(unsigned target) {
  return target >= 120   ? 87
         : target >= 100 ? 86
         : target >= 90  ? 78
         : target == 89  ? 78
         : target == 87  ? 74
         : target == 86  ? 71
         : target >= 80  ? 70
         : target >= 75  ? 63
                         : 60;
}

static CUresult load(Call *c, ModuleObject **out, const char *text, unsigned n,
                     const int *options, void **values) {
  char why[700] = "";
  const Personality *p = personality();
  if (out == NULL || text == NULL)
    return problem(c, INVALID_VALUE, "no PTX or no place for the module");
  for (unsigned k = 0; k < n; k++)
    if (options[k] < 0 || options[k] >= JIT_COUNT)
      return problem(c, INVALID_VALUE, "option %d is not known", options[k]);
  Module *m = ptx_parse(text, memory_next(), why, sizeof why);
  CUresult error = OK;
  if (m == NULL) {
    error = problem(c, INVALID_PTX, "%s", why);
  } else if (m->version > p->ptx) {
    snprintf(why, sizeof why, "PTX version %u.%u is not supported, %u.%u is",
             m->version / 10, m->version % 10, p->ptx / 10, p->ptx % 10);
    error = UNSUPPORTED_PTX_VERSION;
  } else if (m->target > p->capability) {
    snprintf(why, sizeof why, "PTX for sm_%u, the GPU is sm_%u", m->target,
             p->capability);
    error = NO_BINARY_FOR_GPU;
  } else if (m->version < needs_version(m->target)) {
    snprintf(why, sizeof why, "PTX version %u.%u does not know sm_%u",
             m->version / 10, m->version % 10, m->target);
    error = problem(c, INVALID_PTX, "%s", why);
  } else if (m->shared_size > 49152) {
    snprintf(why, sizeof why,
             "%u bytes of static shared memory, 49152 are the most",
             m->shared_size);
    error = problem(c, INVALID_PTX, "%s", why);
  }
  for (uint32_t k = 0; error == OK && k < m->function_count; k++)
    if (m->functions[k]->param_bytes >
        (m->version >= 81 && m->target >= 70 ? 32764u : 4352u)) {
      snprintf(why, sizeof why, "'%s' has %u bytes of parameters",
               m->functions[k]->name, m->functions[k]->param_bytes);
      error = problem(c, INVALID_PTX, "%s", why);
    }
  if (error == OK && m->global_size != 0) {
    const Allocation *a =
        memory_new(MEM_MODULE, m->global_size, NULL, m->global, c->context);
    if (a == NULL)
      error = OUT_OF_MEMORY;
    else if (!ptx_image(m, a->host, why, sizeof why)) {
      error = problem(c, INVALID_PTX, "%s", why);
      memory_free(a->start);
    }
  }
  put_log(n, options, values, JIT_INFO_LOG, "");
  put_log(n, options, values, JIT_ERROR_LOG, error == OK ? "" : why);
  if (error != OK) {
    ptx_free(m);
    return error;
  }
  ModuleObject *o =
      (ModuleObject *)object_new(OBJ_MODULE, sizeof *o, c->context);
  o->module = m;
  for (unsigned k = 0; k < n; k++)
    if (options[k] == JIT_MAX_REGISTERS)
      for (uint32_t i = 0; i < m->function_count; i++)
        m->functions[i]->most_registers = (unsigned)(uintptr_t)values[k];
  *out = o;
  count_modules++;
  return OK;
}

API cuModuleLoadDataEx(ModuleObject **out, const void *image, unsigned n,
                       int *options, void **values) {
  BEGIN(0);
  NEED(n == 0 || (options != NULL && values != NULL), INVALID_VALUE,
       "%u options and no array of them", n);
  return load(&call, out, image, n, options, values);
}

/* -------------------------------------------------- machine code as a file */

#define FILE_WORD "\177ELF by the stand-in\n"

API cuLinkCreate_v2(unsigned n, int *options, void **values, LinkObject **out) {
  BEGIN(0);
  NEED(out != NULL, INVALID_VALUE, "no place for the link");
  NEED(n == 0 || (options != NULL && values != NULL), INVALID_VALUE,
       "%u options and no array of them", n);
  *out = (LinkObject *)object_new(OBJ_LINK, sizeof **out, call.context);
  return OK;
}

API cuLinkAddData_v2(LinkObject *l, int kind, void *data, size_t size,
                     const char *name, unsigned n, int *options,
                     void **values) {
  BEGIN(0);
  CUresult error = OK;
  char why[700] = "";
  (void)name, (void)options, (void)values;
  if (need_object(&call, l, OBJ_LINK, &error) == NULL) return error;
  NEED(kind == 1 && n == 0 && l->code == NULL, INVALID_VALUE,
       "one PTX without options is all that is known here");
  NEED(size != 0 && ((char *)data)[size - 1] == 0, INVALID_VALUE,
       "PTX is not zero-terminated");
  Module *m = ptx_parse(data, memory_next(), why, sizeof why);
  NEED(m != NULL, INVALID_PTX, "%s", why);
  ptx_free(m);
  l->size = sizeof FILE_WORD - 1 + size;
  l->code = malloc(l->size);
  memcpy(l->code, FILE_WORD, sizeof FILE_WORD - 1);
  memcpy(l->code + sizeof FILE_WORD - 1, data, size);
  return OK;
}

API cuLinkComplete(LinkObject *l, void **code, size_t *size) {
  BEGIN(0);
  CUresult error = OK;
  if (need_object(&call, l, OBJ_LINK, &error) == NULL) return error;
  NEED(l->code != NULL && code != NULL && size != NULL, INVALID_VALUE,
       "nothing to link, or no place for it");
  *code = l->code, *size = l->size;
  return OK;
}

API cuLinkDestroy(LinkObject *l) {
  BEGIN(0);
  CUresult error = OK;
  if (need_object(&call, l, OBJ_LINK, &error) == NULL) return error;
  free(l->code);
  l->head.alive = false;
  return OK;
}

API cuModuleLoadData(ModuleObject **out, const void *image) {
  BEGIN(0);
  return load(&call, out, image, 0, NULL, NULL);
}

API cuModuleUnload(ModuleObject *m) {
  BEGIN(0);
  CUresult error = OK;
  if (need_object(&call, m, OBJ_MODULE, &error) == NULL) return error;
  error = work_finish(&call, NULL, true);
  if (error != OK) return error;
  for (Object *o = objects(); o != NULL; o = o->next)
    if (o->kind == OBJ_FUNCTION && ((FunctionObject *)o)->module == m)
      o->alive = false;
  if (m->module->global_size) memory_free(m->module->global);
  ptx_free(m->module);
  m->module = NULL;
  m->head.alive = false;
  return OK;
}

API cuModuleGetFunction(FunctionObject **out, ModuleObject *m,
                        const char *name) {
  BEGIN(0);
  CUresult error = OK;
  if (need_object(&call, m, OBJ_MODULE, &error) == NULL) return error;
  NEED(out != NULL && name != NULL, INVALID_VALUE, "no name");
  for (Object *o = objects(); o != NULL; o = o->next) {
    FunctionObject *f = (FunctionObject *)o;
    if (o->kind == OBJ_FUNCTION && o->alive && f->module == m &&
        strcmp(f->function->name, name) == 0)
      return *out = f, OK;
  }
  const Function *f = ptx_entry(m->module, name);
  NEED(f != NULL, NOT_FOUND, "the module has no entry '%s'", name);
  *out = (FunctionObject *)object_new(OBJ_FUNCTION, sizeof **out, call.context);
  (*out)->module = m;
  (*out)->function = f;
  return OK;
}

API cuModuleGetGlobal_v2(CUdeviceptr *at, size_t *size, ModuleObject *m,
                         const char *name) {
  BEGIN(0);
  CUresult error = OK;
  if (need_object(&call, m, OBJ_MODULE, &error) == NULL) return error;
  NEED(name != NULL, INVALID_VALUE, "no name");
  const Variable *v = ptx_variable(m->module, name);
  NEED(v != NULL, NOT_FOUND, "the module has no variable '%s'", name);
  if (at != NULL) *at = v->address;
  if (size != NULL) *size = v->size;
  return OK;
}

/* ---------------------------------------------------------------- functions */

static unsigned registers(const Function *f) {
  unsigned n = f->hardware;
  if (f->most_registers && n > f->most_registers) n = f->most_registers;
  return n > 255 ? 255 : n;
}

static unsigned most_threads(const Function *f) {
  unsigned fit = 65536 / ((registers(f) + 7) / 8 * 8) / WARP * WARP;
  unsigned most = fit > 1024 ? 1024 : fit;
  if (f->max_threads && f->max_threads <= 1024)
    most = f->max_threads; /* fewer registers */
  return most;
}

API cuFuncGetAttribute(int *value, int attribute, FunctionObject *f) {
  BEGIN(0);
  CUresult error = OK;
  if (need_object(&call, f, OBJ_FUNCTION, &error) == NULL) return error;
  NEED(value != NULL, INVALID_VALUE, "no place for the value");
  const Module *m = f->module->module;
  switch (attribute) {
    case 0:
      *value = (int)most_threads(f->function);
      break;
    case 1:
      *value = (int)m->shared_size;
      break;
    case 2:
      *value = 0;
      break;
    case 3:
      *value = (int)f->function->frame_size;
      break;
    case 4:
      *value = (int)registers(f->function);
      break;
    case 5:
      *value = (int)m->version;
      break;
    case 6:
      *value = (int)personality()->capability;
      break;
    case 7:
      *value = 0;
      break;
    case 8:
      *value =
          (int)(f->dynamic_most ? f->dynamic_most : 49152 - m->shared_size);
      break;
    case 9:
      *value = -1;
      break;
    default:
      return problem(&call, INVALID_VALUE, "attribute %d is not known",
                     attribute);
  }
  return OK;
}

static int opt_in(void) {
  int v = 0;
  extern CUresult cuDeviceGetAttribute(int *, int, CUdevice);
  cuDeviceGetAttribute(&v, 97, 0);
  return v;
}

API cuFuncSetAttribute(FunctionObject *f, int attribute, int value) {
  int most = opt_in();
  BEGIN(0);
  CUresult error = OK;
  if (need_object(&call, f, OBJ_FUNCTION, &error) == NULL) return error;
  if (attribute == 8) {
    int fixed = (int)f->module->module->shared_size;
    NEED(value >= 0 && value + fixed <= most, INVALID_VALUE,
         "%d bytes of dynamic shared memory, %d are the most", value,
         most - fixed);
    f->dynamic_most = (uint32_t)value;
  } else if (attribute == 9) {
    NEED(value >= -1 && value <= 100, INVALID_VALUE, "a share of %d %%", value);
  } else {
    return problem(&call, INVALID_VALUE, "attribute %d cannot be set",
                   attribute);
  }
  return OK;
}

API cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, FunctionObject *f,
                                                int threads, size_t dynamic) {
  BEGIN(0);
  CUresult error = OK;
  if (need_object(&call, f, OBJ_FUNCTION, &error) == NULL) return error;
  NEED(blocks != NULL && threads > 0, INVALID_VALUE, "%d threads", threads);
  unsigned warps = ((unsigned)threads + WARP - 1) / WARP;
  unsigned by_registers =
      65536 / ((registers(f->function) + 7) / 8 * 8 * warps * WARP);
  unsigned by_warps = 64 / warps;
  size_t shared = f->module->module->shared_size + dynamic + 1024;
  unsigned by_shared = (unsigned)(102400 / shared);
  unsigned n = by_registers < by_warps ? by_registers : by_warps;
  *blocks = (int)(n < by_shared ? n : by_shared);
  if (threads > 1024) *blocks = 0;
  return OK;
}
