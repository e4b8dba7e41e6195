/*
** source_library.h - libraries, and kernels taken from them, for every device
** that compiles MSL itself.
**
** A library is a compiled source with the list of its kernels and function
** constants; a kernel is one of its functions with values for the constants.
** What a device makes of a kernel's job is its own. Console thread.
*/
#ifndef MT_COMPILER_SERVICE_SOURCE_LIBRARY_H
#define MT_COMPILER_SERVICE_SOURCE_LIBRARY_H

#include "devices/compiler/service/source_module.h"

/* As mt_DeviceOps.library_new; 'meanwhile' as in mt_module_new. Freed by
** mt_source_library_free. */
mt_Status mt_source_library_new(mt_Device *dev, const char *source,
                                size_t length, const mt_CompileOptions *options,
                                void (*meanwhile)(void), mt_Library **out,
                                mt_Str *log, mt_Error *err);
void mt_source_library_free(mt_Library *lib);

/* What a kernel keeps of its library. */
typedef struct mt_SourceKernel {
  mt_SourceModule *module;  /* with the code of this kernel */
  const mt_MslKernel *msl;  /* in 'module' */
  mt_ConstantValue *values; /* copies */
  size_t value_count;
} mt_SourceKernel;

/* Take kernel 'name' of a library made by mt_source_library_new, with these
** values of function constants. On failure '*out' is empty. */
mt_Status mt_source_kernel_take(mt_Library *lib, const char *name,
                                const mt_ConstantValue *values, size_t count,
                                mt_SourceKernel *out, mt_Error *err);
void mt_source_kernel_free(mt_SourceKernel *k); /* an empty one is fine */

/* Its job; it points into 'k'. */
mt_CompileJob mt_source_kernel_job(const mt_SourceKernel *k);

/* Fill the head of the device's kernel, whose variables take 'bytes' of
** threadgroup memory, and whose code has these 'uses'. MT_BADARG: more than
** 'dev' has. */
mt_Status mt_source_kernel_describe(const mt_SourceKernel *k, mt_Device *dev,
                                    size_t bytes, const mt_Uses *uses,
                                    mt_Kernel *out, mt_Error *err);

#endif
