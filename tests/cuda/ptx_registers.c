/*
** ptx_registers.c - how many registers a function would take on a GPU: those
** that hold a value at once. A value lives from the first place in the text
** that has its register to the last, and to the end of every loop that it
** enters.
*/
#include "tests/cuda/ptx.h"

#include <stdlib.h>
#include <string.h>

#define OVERHEAD 10 /* addresses, and what cannot be packed */

static void mention(uint32_t *first, uint32_t *last, const Function *f,
                    int32_t r, uint32_t at) {
  if (r < (int32_t)f->regs || r >= (int32_t)(f->regs + f->reg_count)) return;
  uint32_t k = (uint32_t)r - f->regs;
  if (first[k] == UINT32_MAX) first[k] = at;
  last[k] = at;
}

uint32_t ptx_registers(const Module *m, const Function *f) {
  uint32_t n = f->reg_count, *first = malloc((n + 1) * sizeof *first);
  uint32_t *last = calloc(n + 1, sizeof *last);
  int32_t *change = calloc(f->count + 2, sizeof *change);
  memset(first, 0xff, (n + 1) * sizeof *first);
  for (uint32_t k = 0; k < f->count; k++) {
    const Inst *i = &m->code[f->first + k];
    for (int o = 0; o < 8; o++) mention(first, last, f, i->d[o], k);
    for (int o = 0; o < 12; o++) mention(first, last, f, i->s[o], k);
  }
  for (bool again = true; again;) {
    again = false;
    for (uint32_t k = 0; k < f->count; k++) {
      const Inst *i = &m->code[f->first + k];
      if (!i->jump || i->target > f->first + k || i->target < f->first)
        continue;
      uint32_t head = i->target - f->first;
      for (uint32_t r = 0; r < n; r++)
        if (first[r] < head && last[r] >= head && last[r] < k)
          last[r] = k, again = true;
    }
  }
  for (uint32_t r = 0; r < n; r++) {
    if (first[r] == UINT32_MAX) continue;
    int32_t size = m->reg_size[f->regs + r] == 8 ? 2 : 1;
    change[first[r]] += size;
    change[last[r]] -= size; /* the result may take its place */
  }
  int32_t now = 0, most = 0;
  for (uint32_t k = 0; k < f->count; k++) {
    now += change[k];
    if (now > most) most = now;
  }
  free(first);
  free(last);
  free(change);
  return (uint32_t)most + OVERHEAD;
}
