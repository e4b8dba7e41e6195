/*
** source_module.h - an MSL source, compiled by the front end.
**
** Shared by a library and its kernels, of any device: the bitcode does not
** depend on the device. Recent modules are kept. Console thread.
*/
#ifndef MT_COMPILER_SERVICE_SOURCE_MODULE_H
#define MT_COMPILER_SERVICE_SOURCE_MODULE_H

#include "devices/compiler/service/compile_job.h"
#include "devices/compiler/service/disk_cache.h"

typedef struct mt_SourceModule {
  mt_MslModule *msl;
  char *source;
  mt_Key key;     /* of source and options */
  bool keep;      /* the key covers the source: no file is included */
  unsigned users;
  /* A large library is at first only read for signatures: 'taken' has the
  ** module of each kernel that was compiled, alone or with others, 'all' one
  ** for all kernels once many were. */
  struct mt_SourceModule *all;
  struct mt_TakenKernel *taken;
  unsigned compiles; /* of a part of it */
} mt_SourceModule;

typedef struct mt_TakenKernel {
  char *kernel;
  mt_SourceModule *module;
  struct mt_TakenKernel *next;
} mt_TakenKernel;

/* 'meanwhile', if not NULL, runs on another thread while Clang works. */
mt_Status mt_module_new(const char *source, size_t length,
                        const mt_CompileOptions *options,
                        void (*meanwhile)(void), mt_SourceModule **out,
                        mt_Str *log, mt_Error *err);
void mt_module_release(mt_SourceModule *m); /* NULL ok */
/* The module with the code of this kernel of 'library'; the caller releases
** it. */
mt_Status mt_module_of(mt_SourceModule *library, const char *kernel,
                       mt_SourceModule **out, mt_Error *err);
const mt_MslKernel *mt_module_kernel(const mt_SourceModule *m,
                                     const char *name);
/* The job of kernel 'k' of 'm' with these values of function constants; it
** points into all three. */
mt_CompileJob mt_module_job(const mt_SourceModule *m, const mt_MslKernel *k,
                            const mt_ConstantValue *values, size_t count);

#endif
