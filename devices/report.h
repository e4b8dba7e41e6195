/*
** report.h - what a check or a profile found, as bytes for another process.
**
** The sentences of a report are data and Lua (lua/check/describe.lua,
** lua/profile/text.lua). A program that has no Lua, libmettle, sends what was
** found to a process that has (lua/report_worker.c), and gets the
** words back. Both are of the same build (base/serialise.h).
*/
#ifndef MT_REPORT_H
#define MT_REPORT_H

#include "base/serialise.h"
#include "devices/check.h"
#include "devices/profile.h"

#define MT_REPORT_WORD "report" /* of the worker process */

/* What a report says beside what was found. */
typedef struct mt_ReportOf {
  bool profile;        /* else a check */
  const char *kernel, *source;
  const char *file;    /* of the source; or NULL */
  const char *stopped; /* why it ended early; NULL: it did not */
  const char *outputs; /* parameters whose coverage was checked: their names,
                       ** each with a space after it */
  mt_Extent extent;
} mt_ReportOf;

void mt_report_pack_head(mt_Str *out, const mt_ReportOf *of);
void mt_report_pack_check(mt_Str *out, const mt_CheckReport *r);
void mt_report_pack_profile(mt_Str *out, const mt_Profile *p);

/* The strings are in the packed bytes. */
void mt_report_unpack_head(mt_Unpacker *in, mt_ReportOf *of);
/* Free with mt_report_free_check or _profile, also if 'in' has failed. */
void mt_report_unpack_check(mt_Unpacker *in, mt_CheckReport *r);
void mt_report_unpack_profile(mt_Unpacker *in, mt_Profile *p);
void mt_report_free_check(mt_CheckReport *r);
void mt_report_free_profile(mt_Profile *p);

#endif
