/*
** record.c - the parts of record.h that do not need host.so; mt_record itself
** is in devices/host/host.c.
*/
#include "devices/record.h"

#include <stdlib.h>
#include <string.h>

const char *mt_event_name(mt_EventKind kind) {
  static const char *const names[MT_EVENT_KINDS] = {
      "read",  "write", "atomic", "barrier", "simdgroup_barrier",
      "lanes", "line",  "value"};
  return (unsigned)kind < MT_EVENT_KINDS ? names[kind] : "unknown";
}

void mt_recording_free(mt_Recording *r) {
  if (!r) return;
  for (size_t i = 0; i < r->unrecorded_count; i++) free(r->unrecorded[i]);
  free(r->unrecorded);
  free(r->differences);
  free(r->events);
  free(r->pool);
  free(r->sites);
  for (size_t i = 0; i < r->object_count; i++) free(r->objects[i].before);
  free(r->objects);
  free(r->frames);
  free(r->variables);
  mt_type_store_free(&r->types);
  memset(r, 0, sizeof *r);
}

const void *mt_event_value(const mt_Recording *r, const mt_Event *e) {
  return r->sites[e->site].bytes > 8 ? (const void *)(r->pool + e->value)
                                     : (const void *)&e->value;
}

mt_ThreadAt mt_event_thread(const mt_Recording *r, const mt_Event *e) {
  return mt_thread_locate(r->grid, r->groups, r->group, e->group, e->thread);
}
