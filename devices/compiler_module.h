/*
** compiler_module.h - the module host.so: the front end, devices/compiler and
** what devices have there that needs LLVM. It is loaded with the first kernel;
** each device exports one table from it.
*/
#ifndef MT_COMPILER_MODULE_H
#define MT_COMPILER_MODULE_H

#include "base/status.h"

/* The symbol 'name' of host.so, which is loaded if necessary. NULL: not
** available, 'err' says why. */
const void *mt_compiler_symbol(const char *name, mt_Error *err);

#endif
