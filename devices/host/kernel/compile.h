/*
** compile.h - what is made of a kernel by LLVM, and where.
**
** A plan has all that is known of a kernel, an order says what is wanted of it,
** and mt_compile_request makes it (compile.c). LLVM is a large program, and
** nobody knows all kernels that it crashes or never ends over: so
** mt_compile_server_request has mt_compile_request run in a process of its own
** (compile_server.c, base/worker_process.h), which Ctrl-C and a limit of time
** end. Where there is none, it is called here. Console thread.
*/
#ifndef MT_HOST_KERNEL_COMPILE_H
#define MT_HOST_KERNEL_COMPILE_H

#include "base/worker_process.h"
#include "devices/compiler/prepare/prepare.h"
#include "devices/host/instrument/instrument.h"
#include "devices/host/kernel/kernel.h"

typedef enum mt_CompileTask {
  MT_TASK_CHECK,   /* is the kernel in order? */
  MT_TASK_CODE,    /* an object file */
  MT_TASK_CHECKED, /* the same under the checker's watch, with its sites */
  MT_TASK_PROFILED, /* the same for the profiler, with its tables */
  MT_TASK_IR,      /* text for the curious */
  MT_TASK_ASM
} mt_CompileTask;

typedef enum mt_Tier {
  MT_TIER_OPTIMISED,
  MT_TIER_QUICK /* if the kernel is large; mt_CodeFacts.quick says if it was */
} mt_Tier;

/* An order is plain bytes: it is sent as it is. */
typedef struct mt_CompileRequest {
  mt_CompileTask task;
  mt_Variant kind;
  char symbol[40]; /* that the group function is to have, */
  char quick_symbol[40]; /* or this, as quick code */
  mt_Tier tier;
  bool large;      /* two tiers even if it is not (tier.h) */
  bool alone;      /* thread by thread, whatever 'kind' says, */
  char because[160]; /* for this reason, */
  bool plain;      /* and as Clang left it */
  bool hasty;      /* code in little time, whatever its tier */
  bool other;      /* for the machine of METTLE_ALSO */
  double seconds;  /* of the processor's time, that a person waits for it at most;
                   ** 0 = as long as it may take */
} mt_CompileRequest;

/* For code that is cached under 'key'. */
mt_CompileRequest mt_request_for(mt_CompileTask task, const mt_Variant *kind,
                                 const mt_Key *key);

/* By the checker or the profiler. */
bool mt_request_is_instrumented(const mt_CompileRequest *o);

typedef struct mt_CompileResult {
  mt_CodeFacts made;        /* but for its key */
  mt_Str bytes;        /* the object file, or the text */
  mt_SiteTable sites;  /* watched */
  mt_CountTable counts; /* counted */
  mt_Error why;        /* the vectoriser could not; "" if it could */
  bool hasty;          /* while it is built: code is made in little time */
  bool two_tiers;      /* while it is built: quick and optimised differ */
} mt_CompileResult;

void mt_compile_result_free(mt_CompileResult *b);

/* All zero at first; mt_compile_result_free in any case. */
mt_Status mt_compile_request(mt_PreparedJob *w, const mt_CompileRequest *order,
                             mt_CompileResult *out, mt_Error *err);
/* what is prepared; not the plan */
void mt_prepared_job_free(mt_PreparedJob *w);

/* warm_up.c: a kernel for nobody, so that LLVM is quick with the next. */
#define MT_WARM_SYMBOL "mt_warm_group"
mt_Status mt_llvm_warm_up(mt_Error *err);

mt_Status mt_compile_server_request(mt_HostKernel *k,
                                    const mt_CompileRequest *order,
                                    mt_CompileResult *out, mt_Error *err);
/* Open it ahead: a kernel is about to come, or a person thinks and LLVM may
** warm up; beside Clang's work that would be in the way. */
void mt_compile_server_open(void);
void mt_compile_server_warm(void);
/* nothing more will be asked of it */
void mt_compile_server_forget(const mt_HostKernel *k);
bool mt_compile_server_is_apart(void); /* LLVM has a process of its own */
/* most of the processor's time for an order */
double mt_compile_server_seconds(void);

/* For who asks a process of his own: one for a background compile, NULL if
** there is none to be had, a question for it and what the answer says. */
mt_WorkerProcess *mt_compile_server_background(void);
void mt_compile_server_question(const mt_HostKernel *k,
                                const mt_CompileRequest *order, mt_Str *out);
mt_Status mt_compile_server_answer(const mt_Str *answer, mt_CompileResult *out,
                                   mt_Error *err);
/* In that process, where it is this program started anew; the exit status. */
int mt_compile_server_serve(const char *word);

/* base/serialise.c: what was built as bytes; false: they are not that. */
void mt_compile_result_pack(const mt_CompileResult *b, mt_Str *out);
bool mt_compile_result_unpack(const char *bytes, size_t size,
                              const mt_MslKernel *kernel,
                              mt_CompileResult *out);

/* compile_job.c: a plan as bytes, and one made of such bytes, which must
** outlive it. NULL: they are none, or there is no memory. */
typedef struct mt_CompileJobCopy mt_CompileJobCopy;
void mt_compile_job_pack(const mt_CompileJob *plan, mt_Str *out);
mt_CompileJobCopy *mt_compile_job_unpack(const char *bytes, size_t size,
                                         mt_CompileJob *out);
void mt_compile_job_free(mt_CompileJobCopy *copy); /* NULL ok */

#endif
