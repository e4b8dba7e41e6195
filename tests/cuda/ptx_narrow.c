/*
** ptx_narrow.c - stores of fewer bits than their register has, of a register
** that a float instruction writes: NVIDIA's assembler takes that for a
** conversion of the number, whatever the store's type (as of CUDA 12.9).
*/
#include "tests/cuda/ptx_parse.h"

#include <stdlib.h>

static bool is_of(const Function *f, int32_t r) {
  return r >= (int32_t)f->regs && r < (int32_t)(f->regs + f->reg_count);
}

const Inst *ptx_narrow_float(const Module *m, const Function *f) {
  bool *holds_float = calloc(f->reg_count + 1, sizeof *holds_float);
  const Inst *found = NULL, *code = &m->code[f->first];
  for (uint32_t k = 0; k < f->count; k++)
    for (int o = 0; o < 8; o++)
      if (type_float(code[k].type) && is_of(f, code[k].d[o]))
        holds_float[(uint32_t)code[k].d[o] - f->regs] = true;
  for (uint32_t k = 0; k < f->count && !found; k++)
    for (int o = 1; code[k].narrow && o <= code[k].vec && !found; o++)
      if (is_of(f, code[k].s[o]) &&
          holds_float[(uint32_t)code[k].s[o] - f->regs])
        found = &code[k];
  free(holds_float);
  return found;
}
