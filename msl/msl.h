/*
** msl.h - the front end: Metal Shading Language in, LLVM bitcode out.
**
** The source as typed goes through the reader (which rewrites the syntax that
** MSL adds to C++17), then through Clang as a child process with our headers
** (msl/include), and comes back as bitcode plus the reflection of every kernel.
** No input can take the console down: Clang runs under time, memory and output
** limits.
**
** docs/ir.md specifies the bitcode for the devices that compile it further;
** msl/include/metal/__builtins is the list of functions it may call.
*/
#ifndef MT_MSL_H
#define MT_MSL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/kernel_types/reflect.h"
#include "base/status.h"
#include "base/str.h"

typedef struct mt_MslDefine {
  const char *name;
  const char *value;
} mt_MslDefine;

typedef struct mt_MslOptions {
  const char *file; /* messages and #include "…" start here; NULL: typed */
  const mt_MslDefine *defines;
  size_t define_count;
  const char *const *include_dirs;
  size_t include_dir_count;
  bool safe_math; /* Metal's default is fast math */
  unsigned version; /* what __METAL_VERSION__ says, as 310; 0: the newest
                    ** (reader/versions.h) */
  bool unlinked; /* functions may be declared here, defined in another file */
  bool colour;
  double time_limit; /* seconds for Clang; 0 = the default */
  /* of a large source, see mt_msl_is_signatures_only */
  bool signatures_only;
} mt_MslOptions;

typedef enum mt_Severity { MT_NOTE, MT_WARNING, MT_ERROR_SEVERITY } mt_Severity;

typedef struct mt_Diagnostic {
  mt_Severity severity;
  const char *file; /* "program_source", or the file's name */
  unsigned line, column; /* from 1, in the source as typed; 0 = none */
  const char *message;   /* one line, MSL words only */
  const char *help;      /* one sentence that says what to do; or NULL */
} mt_Diagnostic;

/* One kernel of a module. Every parameter is one argument of 'function', in
** the same order, MT_PARAM_BUILTIN ones included. */
typedef struct mt_MslKernel {
  const char *name;       /* host_name where given, else as declared */
  const char *function;   /* its symbol in the bitcode */
  const mt_Param *params;
  unsigned param_count;
  size_t threadgroup_static;
  unsigned max_threads;       /* [[max_total_threads_per_threadgroup(n)]]; 0 */
  unsigned required_group[3]; /* 0 = free */
  unsigned line;              /* of its name in the source */
  const char *file;    /* the included file that 'line' is in; or NULL */
  const char *missing; /* an unsupported feature ("ray tracing"); or NULL */
} mt_MslKernel;

typedef struct mt_MslModule mt_MslModule; /* opaque */

/*
** Compile. On MT_OK '*out' is a module that the caller frees. On failure
** '*out' still is one if there are diagnostics to read, without bitcode. 'err'
** has a one-line summary.
*/
mt_Status mt_msl_compile(const char *source, size_t length,
                         const mt_MslOptions *options, mt_MslModule **out,
                         mt_Error *err);
void mt_msl_free(mt_MslModule *m);

/*
** A large library has hundreds of kernels of which few are run. A module of
** signatures only has no generated code: all of Clang's diagnostics, and the
** reflection of all kernels except 'used', 'missing' and 'threadgroup_static',
** but no bitcode. Errors that only the IR shows are reported by mt_msl_take.
**
** mt_msl_take makes the module of some kernels alone, or with none of all,
** from the text that 'from' was made of; files that changed since then do not
** matter. The caller frees '*out', which does not depend on 'from'. Failure is
** as with mt_msl_compile, but what is wrong is said in the person's words only
** of one kernel alone; MT_FAIL also if they cannot be separated from the
** others: then take all.
*/
bool mt_msl_is_signatures_only(const mt_MslModule *m);
mt_Status mt_msl_take(const mt_MslModule *from, const char *const *kernels,
                      size_t count, mt_MslModule **out, mt_Error *err);

const void *mt_msl_bitcode(const mt_MslModule *m, size_t *size); /* or NULL */
size_t mt_msl_kernels(const mt_MslModule *m, const mt_MslKernel **out);
size_t mt_msl_constants(const mt_MslModule *m, const mt_Constant **out);
size_t mt_msl_diagnostics(const mt_MslModule *m, const mt_Diagnostic **out);
const char *mt_msl_log(const mt_MslModule *m); /* diagnostics as text */

/*
** Maps 'line' and 'column' of 'file' in the bitcode's debug information to the
** source as typed. The line needs no mapping. '*column' becomes the typed one,
** 0 if unknown; '*file' the name used in diagnostics, NULL if it is the source
** itself or unknown. Returns that line of an included file, or NULL.
*/
const char *mt_msl_typed(mt_MslModule *m, const char **file, unsigned line,
                         unsigned *column, size_t *length);

/* The name of the source in the debug information if that names other files
** too; NULL: all lines are the source's. And the text of one of its files, or
** NULL. */
const char *mt_msl_main_of_many(const mt_MslModule *m);
const char *mt_msl_text_of(mt_MslModule *m, const char *file, size_t *length);

/* The bitcode as LLVM's text, appended to 'out'. */
mt_Status mt_msl_listing(const mt_MslModule *m, mt_Str *out, mt_Error *err);

/*
** The same functions for callers that load the front end on demand: host.so
** contains it and exports this table under the name MT_FRONT_END.
*/
#define MT_FRONT_END "mt_front_end"
typedef struct mt_FrontEnd {
  mt_Status (*compile)(const char *source, size_t length,
                       const mt_MslOptions *options, mt_MslModule **out,
                       mt_Error *err);
  void (*free)(mt_MslModule *m);
  size_t (*kernels)(const mt_MslModule *m, const mt_MslKernel **out);
  size_t (*constants)(const mt_MslModule *m, const mt_Constant **out);
  size_t (*diagnostics)(const mt_MslModule *m, const mt_Diagnostic **out);
  const char *(*log)(const mt_MslModule *m);
  mt_Status (*listing)(const mt_MslModule *m, mt_Str *out, mt_Error *err);
} mt_FrontEnd;

#endif
