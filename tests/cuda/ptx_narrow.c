/*
** ptx_narrow.c - stores of a part of a number that a float instruction wrote:
** NVIDIA's assembler takes that for a conversion of the number, whatever the
** store's type (as of CUDA 12.9). A product of matrices leaves two halves in a
** register, of which one is stored whole.
*/
#include "tests/cuda/ptx_parse.h"

#include <stdlib.h>

static bool is_of(const Function *f, int32_t r) {
  return r >= (int32_t)f->regs && r < (int32_t)(f->regs + f->reg_count);
}

const Inst *ptx_narrow_float(const Module *m, const Function *f) {
  /* bytes of the float in a register; 0: none */
  uint8_t *size = calloc(f->reg_count + 1, sizeof *size);
  const Inst *found = NULL, *code = &m->code[f->first];
  for (uint32_t k = 0; k < f->count; k++)
    for (int o = 0; o < 8; o++)
      if (type_float(code[k].type) && is_of(f, code[k].d[o]))
        size[(uint32_t)code[k].d[o] - f->regs] =
            (uint8_t)type_size(code[k].type);
  for (uint32_t k = 0; k < f->count && !found; k++)
    for (int o = 1; code[k].narrow && o <= code[k].vec && !found; o++)
      if (is_of(f, code[k].s[o]) &&
          size[(uint32_t)code[k].s[o] - f->regs] > type_size(code[k].type))
        found = &code[k];
  free(size);
  return found;
}
