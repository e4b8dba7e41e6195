/*
** availability.c - is a value there already, where an access would use it?
*/
#include "devices/host/access/access.h"

/* Is there a path from 'at' to 'block' within the region, without 'not_by'? */
static bool leads_to(const mt_Spmd *s, int at, int block, int not_by,
                     bool *seen) {
  if (at == not_by || seen[at]) return false;
  if (at == block) return true;
  seen[at] = true;
  if (s->block[at].barrier) return false;
  for (int i = 0; i < s->block[at].succs; i++)
    if (leads_to(s, s->block[at].succ[i], block, not_by, seen)) return true;
  return false;
}

bool mt_is_available(mt_Spmd *s, LLVMValueRef v, int block) {
  const mt_Value *x = mt_value(s, v);
  if (!x || x->block < 0 || x->block == block) return true;
  if (!x->crosses) return false;
  if (s->start == 0 || mt_set_has(s->block[s->start].live, (int)(x - s->value)))
    return true;
  bool *seen = mt_new(s, (size_t)s->blocks, sizeof *seen);
  bool past = leads_to(s, s->start, block, x->block, seen);
  mt_drop(s, seen);
  return !past;
}
