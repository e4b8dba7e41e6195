/*
** check.c - the parts of check.h that do not need host.so; mt_check itself is
** in devices/host/host.c.
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
