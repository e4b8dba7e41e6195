/*
** record.c - the recorder as a device offers it, and the parts of record.h that
** are the same for all.
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

mt_Status mt_record(const mt_Launch *launch, const mt_RecordOptions *options,
                    mt_Recording *out, mt_Error *err) {
  const mt_DeviceOps *ops = launch->kernel->device->ops;
  memset(out, 0, sizeof *out);
  if (!ops->record)
    return mt_error(err, MT_BADARG,
                    "a recording is made on the %s device: the kernel and its "
                    "buffers must be its own", mt_device_instrumenting());
  mt_Status status = mt_launch_check(launch, err);
  return status == MT_OK ? ops->record(launch, options, out, err) : status;
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
