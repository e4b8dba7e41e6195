/*
** compile_job.h - all that is known of a kernel when it is compiled, and the
** same as bytes, for a worker process.
*/
#ifndef MT_COMPILER_SERVICE_COMPILE_JOB_H
#define MT_COMPILER_SERVICE_COMPILE_JOB_H

#include <stddef.h>

#include "base/str.h"
#include "devices/compiler/service/disk_cache.h"
#include "devices/device.h"
#include "msl/msl.h"

typedef struct mt_CompileJob {
  const mt_MslKernel *msl;
  const void *bitcode;
  size_t size;
  const char *source; /* as typed, for listings */
  const char *file;   /* the kernel's source file, if the library has several;
                      ** else NULL */
  const mt_Constant *constants; /* all function constants of the library */
  size_t constant_count;
  const mt_ConstantValue *values;
  size_t value_count;
} mt_CompileJob;

/* A job as bytes, and a job unpacked from such bytes, which must outlive it.
** NULL: the bytes are invalid, or memory is short. */
typedef struct mt_CompileJobCopy mt_CompileJobCopy;
void mt_compile_job_pack(const mt_CompileJob *job, mt_Str *out);
mt_CompileJobCopy *mt_compile_job_unpack(const char *bytes, size_t size,
                                         mt_CompileJob *out);
void mt_compile_job_free(mt_CompileJobCopy *copy); /* NULL ok */

/* A key over all that code for this CPU depends on but the launch: the job, its
** values, LLVM, and this build of Mettle. */
mt_Key mt_compile_job_key(const mt_CompileJob *job, const char *cpu,
                          const char *features);

/* Copies of values of function constants; NULL: out of memory. */
mt_ConstantValue *mt_constant_values_copy(const mt_ConstantValue *values,
                                          size_t count);
void mt_constant_values_free(mt_ConstantValue *values,
                             size_t count); /* NULL ok */

/* The error for a kernel that no device here can run: 'missing' names what it
** needs (mt_MslKernel.missing); NULL: out of memory. */
mt_Status mt_kernel_missing(const char *name, const char *missing,
                            mt_Error *err);

#endif
