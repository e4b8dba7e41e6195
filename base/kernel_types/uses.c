/*
** uses.c - questions about what a kernel reads and writes, see uses.h.
*/
#include "base/kernel_types/uses.h"

#include "base/kernel_types/reflect.h"

unsigned mt_param_uses(const mt_KernelInfo *info, unsigned i) {
  const mt_Param *p = &info->params[i];
  if (p->kind != MT_PARAM_BUFFER && p->kind != MT_PARAM_TEXTURE) return 0;
  if (!info->uses.known || i >= MT_USES_PARAMS) return (unsigned)p->access;
  unsigned found = info->uses.of[i];
  bool bounded = p->constant || p->kind == MT_PARAM_TEXTURE;
  return bounded ? found & (unsigned)p->access : found;
}

unsigned mt_link_uses(const mt_KernelInfo *info, unsigned i, size_t offset) {
  const mt_Uses *u = &info->uses;
  if (!u->known || i >= MT_USES_PARAMS) return MT_READ_WRITE;
  unsigned found = u->inside[i];
  for (unsigned k = 0; k < u->link_count; k++)
    if (u->link[k].param == i && u->link[k].offset == offset)
      found |= u->link[k].access;
  return found;
}
