/*
** compiler_module.h - the module host.so: the front end, devices/compiler and
** what devices have there that needs LLVM. It is loaded with the first kernel;
** each device that compiles exports one table from it, its engine.
*/
#ifndef MT_COMPILER_MODULE_H
#define MT_COMPILER_MODULE_H

#include "base/pass.h"
#include "devices/device.h"
#include "msl/msl.h"

/* The symbol 'name' of host.so, which is loaded if necessary. NULL: not
** available, 'err' says why. */
const void *mt_compiler_symbol(const char *name, mt_Error *err);

/* The start of every engine; members as in mt_DeviceOps. */
typedef struct mt_CompilerEngine {
  int (*serve)(const char *word); /* be a worker process: mt_compiler_serve */
  mt_Status (*library_new)(mt_Device *dev, const char *source, size_t length,
                           const mt_CompileOptions *options, mt_Library **out,
                           mt_Str *log, mt_Error *err);
  void (*library_free)(mt_Library *lib);
  mt_Status (*kernel_new)(mt_Library *lib, const char *name,
                          const mt_ConstantValue *values, size_t value_count,
                          mt_Kernel **out, mt_Error *err);
  void (*kernel_free)(mt_Kernel *k);
  mt_Status (*kernel_listing)(mt_Kernel *k, mt_Listing what, mt_Str *out,
                              mt_Error *err);
} mt_CompilerEngine;

/* A device's engine, found by its symbol: mt_DeviceOps.compiler. */
typedef struct mt_CompilerHalf {
  const char *symbol;
  const mt_CompilerEngine *engine; /* NULL: not loaded yet */
} mt_CompilerHalf;

/* The passes that a device's compiler has after compiler/prepare, for mettle
** opt: its device.mk sets NAME.passes, and host.so has them as mt_NAME_passes.
** 'run' is one alone, over the module of the function 'kernel'. */
struct LLVMOpaqueValue;
struct mt_MslKernel;
typedef struct mt_DevicePasses {
  const mt_PassTable *table;
  mt_Status (*run)(const mt_Pass *pass, struct LLVMOpaqueValue *kernel,
                   const struct mt_MslKernel *msl, mt_Error *err);
} mt_DevicePasses;

/* Load the engine if necessary. */
mt_Status mt_compiler_need(mt_CompilerHalf *half, mt_Error *err);

/* Serve as the worker process 'word' of another Mettle
** (base/process/worker_process.h); returns the exit status. */
int mt_compiler_serve(mt_CompilerHalf *half, const char *word);

/* The front end's options; the caller frees out->defines, on failure NULL. */
mt_Status mt_compiler_options(const mt_CompileOptions *o,
                              mt_MslOptions *out, mt_Error *err);

/* Start the Clang of the next source: a member 'ready' does that, while the
** person types. */
void mt_compiler_ahead(void);

/* To be called while a launch waits for its code: the same where no one types
** between two sources, if that Clang can be forked from a loaded one. */
void mt_compiler_meanwhile(void);

/* This process is about to be confined (base/files/confine.h): Clang may still
** be started then, and the Clang that is loaded by now, which would not be
** confined, ends. */
void mt_compiler_confining(void);

/* Members of an mt_DeviceOps that has a 'compiler'. */
mt_Status mt_compiler_library_new(mt_Device *dev, const char *source,
                                  size_t length,
                                  const mt_CompileOptions *options,
                                  mt_Library **out, mt_Str *log, mt_Error *err);
void mt_compiler_library_free(mt_Library *lib);
mt_Status mt_compiler_kernel_new(mt_Library *lib, const char *name,
                                 const mt_ConstantValue *values, size_t count,
                                 mt_Kernel **out, mt_Error *err);
void mt_compiler_kernel_free(mt_Kernel *k);
mt_Status mt_compiler_kernel_listing(mt_Kernel *k, mt_Listing what, mt_Str *out,
                                     mt_Error *err);

#endif
