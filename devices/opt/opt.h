/*
** opt.h - one pass over a text of LLVM IR, or one question about it: what
** 'mettle opt' prints.
**
** A pass is a row of a room's table (base/pass.h): it changes the module, and
** what comes out is the module's text. A question is asked of one function, the
** kernel, and changes nothing: what comes out is its answer in words, for
** people and for tests/passes. Both are asked for by name, several by commas,
** in the order given; none is run that was not asked for.
**
** A kernel in a text has no reflection, so its parameters say what they are: a
** pointer is a buffer, with the attribute "constant" one in constant memory,
** with "threadgroup" threadgroup memory, with "texture" a texture, whose format
** is known where the attribute has a number ("texture"="7"); anything else has
** the name of what it is, %thread_position_in_grid. A string attribute of a
** parameter is LLVM's syntax: ptr "constant" %in.
**
** The text is verified before the first pass and after each. LLVM may still
** crash over it, so mettle opt has this in a process of its own.
*/
#ifndef MT_OPT_OPT_H
#define MT_OPT_OPT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "base/str.h"

typedef struct mt_OptRequest {
  const char *passes; /* "split-structs,trip-counts" */
  const char *name;   /* of the text, for messages */
  const void *text;   /* .ll or .bc; ended by a NUL that does not count */
  size_t size;
  const char *kernel; /* its function; NULL: the first that is not internal */
  const char *target; /* as mt_target_named has it; NULL: this machine */
  unsigned group[3];  /* threads of a threadgroup; 0: 256, 1, 1 */
  const char *file;   /* whose lines messages name; NULL: all are */
  bool no_overlap;    /* no buffer that is written overlaps another */
  bool long_rows;     /* groups may be pieces of rows of the grid instead */
} mt_OptRequest;

/* Append what comes out. Failure: 'err' has one sentence, 'out' what was said
** until then. */
mt_Status mt_opt_run(const mt_OptRequest *request, mt_Str *out, mt_Error *err);

/* All passes and questions, a line each, by room and in their order. */
void mt_opt_list(mt_Str *out);

/* Call 'each' for every name that mt_opt_run knows, with its room. */
void mt_opt_each(void (*each)(void *with, const char *room, const char *name),
                 void *with);

/* The same for a program that loads host.so on demand. */
#define MT_OPT_TOOL "mt_opt_tool"
typedef struct mt_OptTool {
  mt_Status (*run)(const mt_OptRequest *request, mt_Str *out, mt_Error *err);
  void (*list)(mt_Str *out);
} mt_OptTool;

#endif
