/*
** reserve.c - what a noted launch uses, kept as it is until the launch runs.
**
** The one idea: a count in each buffer and texture. Below launches and command
** buffers, since every access asks.
*/
#include "base/advice.h"
#include "devices/device.h"

mt_Status mt_reserved(const char *what, mt_Error *err) {
  return mt_error(err, MT_BADARG,
                  "this %s belongs to a launch of %s that has not run yet: "
                  "read or change it before that launch, or after %s",
                  what, mt_advice()->commands, mt_advice()->commands);
}

static void reserve_argument(const mt_Arg *a, unsigned by) {
  if (a->kind == MT_ARG_BUFFER) a->buffer->reserved += by;
  if (a->kind == MT_ARG_TEXTURE && a->texture_count == 0)
    a->texture->reserved += by;
  for (unsigned i = 0; i < a->texture_count; i++)
    a->textures[i]->reserved += by;
  for (unsigned i = 0; i < a->link_count; i++)
    reserve_argument(&a->links[i].arg, by);
}

static void reserve(const mt_Launch *l, unsigned by) {
  for (unsigned i = 0; i < l->arg_count; i++) reserve_argument(&l->args[i], by);
}

void mt_launch_reserve(const mt_Launch *l) { reserve(l, 1); }
void mt_launch_release(const mt_Launch *l) { reserve(l, (unsigned)-1); }
