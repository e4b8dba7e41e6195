/*
** profile.c - the profiler as a device offers it, and the parts of profile.h
** that are the same for all.
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

mt_Status mt_profile_map(const mt_Launch *launch, mt_Profile *out,
                         mt_AccessMap *map, mt_Error *err) {
  const mt_DeviceOps *ops = launch->kernel->device->ops;
  if (map) *map = (mt_AccessMap){0};
  memset(out, 0, sizeof *out);
  if (!ops->profile)
    return mt_error(err, MT_BADARG,
                    "profile runs on the %s device: the kernel and its buffers "
                    "must be its own", mt_device_instrumenting());
  mt_Status status = mt_launch_check(launch, err);
  return status == MT_OK ? ops->profile(launch, out, map, err) : status;
}

mt_Status mt_profile(const mt_Launch *launch, mt_Profile *out, mt_Error *err) {
  return mt_profile_map(launch, out, NULL, err);
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
