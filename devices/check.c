/*
** check.c - the parts of check.h that do not need host.so; mt_check itself is
** in devices/host/host.c.
*/
#include "devices/check.h"

#include <stdlib.h>
#include <string.h>

const char *mt_finding_name(mt_FindingKind kind) {
  static const char *const names[MT_FINDING_KINDS] = {
      "out-of-bounds", "race", "divergent-barrier", "uninitialised",
      "misaligned", "division-by-zero", "shift", "threadgroup-memory",
      "coverage", "inactive-lane", "schedule", "assert"};
  return (unsigned)kind < MT_FINDING_KINDS ? names[kind] : "unknown";
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
