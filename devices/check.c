/*
** check.c - the checker as a device offers it, and the parts of check.h that
** are the same for all.
*/
#include "devices/check.h"

#include <stdlib.h>
#include <string.h>

const mt_FindingRow *mt_finding_row(mt_FindingKind kind) {
  static const mt_FindingRow rows[MT_FINDING_KINDS] = {
#define X(id, ...) {__VA_ARGS__},
      MT_FINDING_TABLE(X)
#undef X
  };
  return &rows[kind];
}

const char *mt_finding_name(mt_FindingKind kind) {
  return (unsigned)kind < MT_FINDING_KINDS ? mt_finding_row(kind)->name
                                           : "unknown";
}

#define X(id, name) name,
const char *mt_space_name(mt_Space space) {
  static const char *const names[] = {MT_SPACE_TABLE(X)};
  return names[space];
}

const char *mt_how_name(mt_AccessHow how) {
  static const char *const names[] = {MT_HOW_TABLE(X)};
  return names[how];
}

const char *mt_apart_name(mt_Apart apart) {
  static const char *const names[] = {MT_APART_TABLE(X)};
  return names[apart];
}
#undef X

mt_ThreadAt mt_thread_locate(const uint32_t grid[3], const uint32_t groups[3],
                             const uint32_t size[3], uint64_t group,
                             uint32_t thread) {
  mt_ThreadAt at = {.simdgroup = thread / 32, .lane = thread % 32};
  uint32_t actual[3];
  at.group[0] = (uint32_t)(group % groups[0]);
  at.group[1] = (uint32_t)(group / groups[0] % groups[1]);
  at.group[2] = (uint32_t)(group / groups[0] / groups[1]);
  for (int d = 0; d < 3; d++) {
    uint32_t left = grid[d] - at.group[d] * size[d];
    actual[d] = left < size[d] ? left : size[d];
  }
  at.local[0] = thread % actual[0];
  at.local[1] = thread / actual[0] % actual[1];
  at.local[2] = thread / actual[0] / actual[1];
  for (int d = 0; d < 3; d++)
    at.grid[d] = at.group[d] * size[d] + at.local[d];
  return at;
}

mt_Status mt_check(const mt_Launch *launch, const mt_CheckOptions *options,
                   mt_CheckReport *out, mt_Error *err) {
  const mt_DeviceOps *ops = launch->kernel->device->ops;
  memset(out, 0, sizeof *out);
  if (ops->check) return ops->check(launch, options, out, err);
  return mt_error(err, MT_BADARG,
                  "check runs on the %s device: the kernel and its buffers "
                  "must be its own", mt_device_instrumenting());
}

void mt_check_free(mt_CheckReport *report) {
  if (!report) return;
  for (size_t i = 0; i < report->count; i++)
    free((char *)report->findings[i].name);
  for (size_t i = 0; i < report->unchecked_count; i++)
    free(report->unchecked[i]);
  free(report->findings);
  free(report->unchecked);
  memset(report, 0, sizeof *report);
}
