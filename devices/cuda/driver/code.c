/*
** code.c - modules and their functions, in the driver's process.
*/
#include <stdlib.h>
#include <string.h>

#include "devices/cuda/abi/launch.h"
#include "devices/cuda/driver/server.h"
#include "devices/cuda/driver/shared_memory.h"

mt_ServerCode *mt_server_code(mt_Server *s, uint64_t id) {
  for (size_t i = s->code_count; i-- > 0;)
    if (s->code[i].id == id) return &s->code[i];
  return NULL;
}

static mt_CuResult keep(mt_Server *s, const mt_ServerCode *code) {
  if (s->code_count == s->code_room) {
    size_t room = s->code_room ? 2 * s->code_room : 16;
    mt_ServerCode *more = realloc(s->code, room * sizeof *more);
    if (!more) return MT_CU_OUT_OF_MEMORY;
    s->code = more;
    s->code_room = room;
  }
  s->code[s->code_count++] = *code;
  return MT_CU_OK;
}

static unsigned attribute(const mt_Server *s, mt_CuHandle f, int what) {
  int value = 0;
  s->cu.function_attribute(&value, what, f);
  return value > 0 ? (unsigned)value : 0;
}

static void read_facts(mt_Server *s, mt_CuHandle f) {
  s->channel->code = (mt_GpuCodeFacts){
      .registers = attribute(s, f, MT_CU_FUNC_REGISTERS),
      .local = attribute(s, f, MT_CU_FUNC_LOCAL),
      .shared = attribute(s, f, MT_CU_FUNC_SHARED),
      .constant = attribute(s, f, MT_CU_FUNC_CONSTANT),
      .max_threads = attribute(s, f, MT_CU_FUNC_MAX_THREADS)};
}

mt_CuResult mt_server_load(mt_Server *s) {
  mt_Channel *c = s->channel;
  mt_ServerCode code = {.id = c->load.id};
  int options[] = {MT_CU_JIT_ERROR_LOG, MT_CU_JIT_ERROR_LOG_SIZE,
                   MT_CU_JIT_MAX_REGISTERS};
  void *values[] = {c->text, (void *)(uintptr_t)(sizeof c->text - 1),
                    (void *)(uintptr_t)c->load.registers};
  mt_ServerCode *known = mt_server_code(s, code.id);
  if (known) {
    read_facts(s, known->function);
    return MT_CU_OK;
  }
  mt_CuResult r = s->cu.module_load(&code.module,
                                    mt_shared_memory_at(c->load.offset),
                                    c->load.registers ? 3 : 2, options, values);
  if (r != MT_CU_OK) return r;
  r = s->cu.module_function(&code.function, code.module, MT_CUDA_ENTRY);
  if (r == MT_CU_OK) r = keep(s, &code);
  if (r == MT_CU_OK) read_facts(s, code.function);
  else s->cu.module_unload(code.module);
  return r;
}

mt_CuResult mt_server_unload(mt_Server *s) {
  mt_ServerCode *code = mt_server_code(s, s->channel->number);
  if (!code) return MT_CU_OK;
  mt_CuResult r = s->cu.module_unload(code->module);
  *code = s->code[--s->code_count];
  return r;
}

mt_CuResult mt_server_link(mt_Server *s) {
  mt_Channel *c = s->channel;
  mt_CuHandle link = NULL;
  void *text = mt_shared_memory_at(c->load.offset), *code = NULL;
  size_t size = 0;
  mt_CuResult r = s->cu.link_new(0, NULL, NULL, &link);
  if (r != MT_CU_OK) return r;
  r = s->cu.link_add(link, MT_CU_INPUT_PTX, text, c->load.size, MT_CUDA_ENTRY,
                     0, NULL, NULL);
  if (r == MT_CU_OK) r = s->cu.link_complete(link, &code, &size);
  if (r == MT_CU_OK && size > c->number) r = MT_CU_OUT_OF_MEMORY;
  if (r == MT_CU_OK) memcpy(text, code, size);
  c->answer = size;
  s->cu.link_free(link);
  return r;
}

mt_CuResult mt_server_fit(mt_Server *s) {
  const mt_DriverLaunch *l = &s->channel->launch;
  mt_ServerCode *code = mt_server_code(s, l->id);
  int blocks = 0;
  if (!code) return MT_CU_INVALID_VALUE;
  mt_CuResult r =
      s->cu.occupancy(&blocks, code->function, (int)l->block[0], l->shared);
  s->channel->answer = blocks > 0 ? (uint64_t)blocks : 0;
  return r;
}
