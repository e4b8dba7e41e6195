/*
** compile.h - compiling a kernel with LLVM, in a process of its own.
**
** A job holds all that is known of a kernel, a request says what to make of it,
** and mt_compile_request makes it (compile.c). Some kernels may crash LLVM or
** keep it busy for ever, so mt_compile_server_request runs mt_compile_request
** in a worker process (compile_server.c, base/process/worker_process.h), which
** Ctrl-C and a time limit end. Without worker processes it runs in this
** process. Console thread.
*/
#ifndef MT_HOST_KERNEL_COMPILE_H
#define MT_HOST_KERNEL_COMPILE_H

#include "base/process/worker_process.h"
#include "devices/compiler/prepare/prepare.h"
#include "devices/host/sites/sites.h"
#include "devices/host/kernel/kernel.h"

typedef enum mt_CompileTask {
  MT_TASK_CHECK,    /* is the kernel valid? */
  MT_TASK_CODE,     /* an object file */
  MT_TASK_CHECKED,  /* with the checker's instrumentation and its sites */
  MT_TASK_PROFILED, /* with the profiler's, and its tables */
  MT_TASK_RECORDED, /* with the recorder's and its sites; thread by thread */
  MT_TASK_IR,       /* a listing */
  MT_TASK_ASM,
  MT_TASK_WHY       /* sentences about the code */
} mt_CompileTask;

typedef enum mt_Tier {
  MT_TIER_OPTIMISED,
  MT_TIER_QUICK /* if the kernel is large; mt_CodeFacts.quick tells */
} mt_Tier;

/* Has no pointers: it is sent to the worker process as bytes. */
typedef struct mt_CompileRequest {
  mt_CompileTask task;
  mt_Variant kind;
  char symbol[40];       /* name of the group function */
  char quick_symbol[40]; /* its name in the quick tier */
  mt_Tier tier;
  bool large;            /* two tiers however small (tier.h) */
  bool huge;             /* and quick code thread by thread */
  bool calls;            /* in which functions stay functions if possible */
  bool thread_by_thread; /* whatever 'kind' says */
  char because[160];     /* the reason for 'thread_by_thread' */
  bool plain;            /* as Clang emitted it (mt_PrepareInput) */
  bool hasty;            /* quick code generation, whatever the tier */
  bool other;            /* for the target METTLE_ALSO */
  double seconds;        /* CPU time of the user's limit; 0: the server's */
} mt_CompileRequest;

/* A request for code of 'k' that is cached under 'key'. */
mt_CompileRequest mt_request_for(const mt_HostKernel *k, mt_CompileTask task,
                                 const mt_Variant *kind, const mt_Key *key);

/* Is the code instrumented? */
bool mt_request_is_instrumented(const mt_CompileRequest *o);

typedef struct mt_CompileResult {
  mt_CodeFacts made;    /* all but the key */
  mt_Str bytes;         /* an object file or a listing */
  mt_SiteTable sites;   /* MT_TASK_CHECKED, MT_TASK_RECORDED */
  mt_CountTable counts; /* MT_TASK_PROFILED */
  mt_Error why;         /* why not vectorised; "" if it is */
  bool hasty;           /* during the compile: quick code generation */
  bool two_tiers;       /* during the compile: quick and optimised differ */
  bool huge;            /* during the compile: quick code by threads */
  bool settled;         /* during the compile: rounding, by mt_prepare */
  mt_VectorFacts vectors; /* during the compile */
  mt_Str accesses;        /* during the compile: a line each, for listings */
} mt_CompileResult;

void mt_compile_result_free(mt_CompileResult *b);

/* explain.c: what was made of the kernel, for a learner. */
void mt_explain(const mt_CompileJob *job, const mt_CompileRequest *order,
                mt_CompileResult *out);

/* 'out' starts zeroed; mt_compile_result_free in any case. */
mt_Status mt_compile_request(mt_PreparedJob *w, const mt_CompileRequest *order,
                             mt_CompileResult *out, mt_Error *err);
/* frees what is prepared, not the job */
void mt_prepared_job_free(mt_PreparedJob *w);

/* warm_up.c: compile a dummy kernel to warm LLVM up. */
#define MT_WARM_SYMBOL "mt_warm_group"
mt_Status mt_llvm_warm_up(mt_Error *err);

mt_Status mt_compile_server_request(mt_HostKernel *k,
                                    const mt_CompileRequest *order,
                                    mt_CompileResult *out, mt_Error *err);
/* Start the server ahead, when a kernel is about to be compiled; kernel.h has
** one with a warm-up compile. */
void mt_compile_server_open(void);
/* no further request for 'k' will come */
void mt_compile_server_forget(const mt_HostKernel *k);
bool mt_compile_server_is_process(void); /* LLVM runs in a worker process */
/* limit of CPU time for a request */
double mt_compile_server_seconds(void);

/* For callers with a worker process of their own: a process for a background
** compile (NULL if there is none); the question to send it, and how to read its
** answer. */
mt_WorkerProcess *mt_compile_server_background(void);
void mt_compile_server_question(const mt_HostKernel *k,
                                const mt_CompileRequest *order, mt_Str *out);
mt_Status mt_compile_server_answer(const mt_Str *answer, mt_CompileResult *out,
                                   mt_Error *err);

/* compile_result.c: a result as bytes. Unpacking returns false if the bytes are
** invalid or memory is short. */
void mt_compile_result_pack(const mt_CompileResult *b, mt_Str *out);
bool mt_compile_result_unpack(const char *bytes, size_t size,
                              const mt_MslKernel *kernel,
                              mt_CompileResult *out);

#endif
