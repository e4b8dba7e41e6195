/*
** shape.c - allocation and copying of shapes, see vector.h.
**
** The one idea: few parts are affine, and the arrays of an affine shape are
** large. A part's shape is allocated without them until it needs them.
*/
#include <stdlib.h>
#include <string.h>

#include "devices/host/vector/vector.h"

mt_Shape *mt_shape_new(mt_Spmd *s) {
  void *head = mt_new(s, 1, MT_SHAPE_HEAD);
  return head;
}

void mt_shape_copy(mt_Shape *to, const mt_Shape *from) {
  memcpy(to, from, MT_SHAPE_HEAD);
  if (from->kind == MT_SHAPE_AFFINE) {
    memcpy(to->offset, from->offset, sizeof to->offset);
    memcpy(to->factor, from->factor, sizeof to->factor[0] * from->terms);
  } else {
    memset(to->offset, 0, sizeof to->offset);
  }
}

void mt_shape_reset(mt_Shape *h, mt_ShapeKind kind) {
  memset(h, 0, MT_SHAPE_HEAD);
  h->kind = kind;
  h->align = 1;
  memset(h->offset, 0, sizeof h->offset);
}
