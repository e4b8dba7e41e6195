/*
** profile.c - the parts of profile.h that do not need host.so; mt_profile
** itself is in devices/host/host.c.
*/
#include "devices/profile.h"

#include <stdlib.h>
#include <string.h>

const char *mt_count_name(mt_CountKind kind) {
  static const char *const names[MT_COUNT_KINDS] = {
      "float", "special", "integer", "convert", "compare", "branch",
      "memory", "texture", "atomic", "simd", "barrier", "other"};
  return (unsigned)kind < MT_COUNT_KINDS ? names[kind] : "other";
}

void mt_access_map_free(mt_AccessMap *m) {
  for (size_t i = 0; i < m->count; i++)
    for (int s = 0; s < MT_TOUCH_SETS; s++) free(m->buffers[i].set[s]);
  free(m->buffers);
  *m = (mt_AccessMap){0};
}

void mt_profile_free(mt_Profile *p) {
  for (size_t i = 0; i < p->unknown_count; i++) free(p->unknown[i]);
  free(p->unknown);
  free(p->lines);
  memset(p, 0, sizeof *p);
}
